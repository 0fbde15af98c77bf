import { ParanoiaError } from '../base/errors.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import { formatCase } from '../problem/case.ts';
import { loadComputation } from './kernel-of.ts';
import type { PlannedCase } from './planned-case.ts';

/** The requested cases, and additional ones that are run where possible. */
export interface RequestedCases {
  readonly catalog: KernelCatalog;
  /** The requested cases. A precision that the device cannot serve is an error. */
  readonly asked: readonly PlannedCase[];
  readonly sample: readonly PlannedCase[];
}

/**
 * Returns the cases that a machine serves, each once, and sentences on the precisions that it does not.
 * @throws ParanoiaError `precision-unserved` for a requested precision
 */
export async function selectServedCases(
  machine: Machine,
  { catalog, asked, sample }: RequestedCases,
): Promise<{ cases: PlannedCase[]; notes: string[] }> {
  await requireServed(machine, asked, catalog);
  const found = await served(machine, sample, catalog);
  return { ...found, cases: removeRepeats([...asked, ...found.cases]) };
}

/** Returns each case once, at its first position. */
export const removeRepeats = (cases: readonly PlannedCase[]): PlannedCase[] =>
  [...new Map([...cases].reverse().map((value) => [formatCase(value), value])).values()].reverse();

/** Returns the precisions of built-in kernels among the cases. */
function precisionsOf(cases: readonly PlannedCase[], catalog: KernelCatalog): string[] {
  const own = cases.filter(({ kernel }) => catalog.external(kernel) === undefined);
  return [...new Set(own.map(({ problem: { precision } }) => precision))];
}

async function requireServed(machine: Machine, cases: readonly PlannedCase[], catalog: KernelCatalog) {
  if (!isDevice(machine)) return;
  const { computationIn } = await loadComputation();
  for (const precision of precisionsOf(cases, catalog))
    await computationIn(machine, catalog.precisions.find(precision));
}

/** Returns the cases whose precision the device serves, and notes on the other precisions. */
async function served(machine: Machine, cases: readonly PlannedCase[], catalog: KernelCatalog) {
  const refused = new Set<string>();
  const notes: string[] = [];
  for (const precision of precisionsOf(cases, catalog)) {
    try {
      await requireServed(
        machine,
        cases.filter((value) => value.problem.precision === precision),
        catalog,
      );
    } catch (error) {
      if (!(error instanceof ParanoiaError) || error.code !== 'precision-unserved') throw error;
      refused.add(precision);
      notes.push(error.message);
    }
  }
  return { cases: cases.filter(({ problem: { precision } }) => !refused.has(precision)), notes };
}
