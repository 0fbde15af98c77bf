import { ParanoiaError } from '../base/errors.ts';
import { computationIn } from '../gpu/computation.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { formatCase } from '../problem/case.ts';
import type { PlannedCase } from './planned-case.ts';

/** What was asked for, and what is run as well where it can be. */
export interface Wanted {
  readonly catalogue: Catalogue;
  /** A precision of these that the device cannot serve is a problem. */
  readonly asked: readonly PlannedCase[];
  readonly sample: readonly PlannedCase[];
}

/**
 * The cases that a machine serves, each once, and sentences on the precisions that it does not.
 * @throws ParanoiaError `precision-unserved` for one that was asked for
 */
export async function servedBy(
  machine: Machine,
  { catalogue, asked, sample }: Wanted,
): Promise<{ cases: PlannedCase[]; notes: string[] }> {
  await requireServed(machine, asked, catalogue);
  const found = await served(machine, sample, catalogue);
  return { ...found, cases: distinct([...asked, ...found.cases]) };
}

/** Each case once, where it comes first. */
export const distinct = (cases: readonly PlannedCase[]): PlannedCase[] =>
  [...new Map([...cases].reverse().map((value) => [formatCase(value), value])).values()].reverse();

/** Precisions of built-in kernels among the cases. */
function precisionsOf(cases: readonly PlannedCase[], catalogue: Catalogue): string[] {
  const own = cases.filter(({ kernel }) => catalogue.external(kernel) === undefined);
  return [...new Set(own.map(({ problem: { precision } }) => precision))];
}

async function requireServed(machine: Machine, cases: readonly PlannedCase[], catalogue: Catalogue) {
  if (!isDevice(machine)) return;
  for (const precision of precisionsOf(cases, catalogue))
    await computationIn(machine, catalogue.precisions.find(precision));
}

/** The cases whose precision the device serves; notes say which it does not. */
async function served(machine: Machine, cases: readonly PlannedCase[], catalogue: Catalogue) {
  const refused = new Set<string>();
  const notes: string[] = [];
  for (const precision of precisionsOf(cases, catalogue)) {
    try {
      await requireServed(
        machine,
        cases.filter((value) => value.problem.precision === precision),
        catalogue,
      );
    } catch (error) {
      if (!(error instanceof ParanoiaError) || error.code !== 'precision-unserved') throw error;
      refused.add(precision);
      notes.push(error.message);
    }
  }
  return { cases: cases.filter(({ problem: { precision } }) => !refused.has(precision)), notes };
}
