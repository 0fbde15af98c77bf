import fc from 'fast-check';
import { type Case, formatCase } from '../gate/case.ts';
import { Problem } from '../problems.ts';
import type { Finding } from './finding.ts';
import { failedCheck, type Judge, type Judged } from './judge.ts';
import { simplify } from './simplify.ts';

/** How often a failure is run again to see whether it always fails. */
const RUNS_AGAIN = 3;

/** Where a failure was drawn. */
export interface Drawn {
  readonly arbitrary: fc.Arbitrary<Case>;
  readonly seed: number;
  /** fast-check's path: the run, and the steps of shrinking after it, if any. */
  readonly path: string;
}

/**
 * Shrinks a failure to the smallest case that fails the same check, then to the simplest values.
 * @param stop asked between steps: true keeps what is reached.
 */
export async function shrink(
  first: Judged,
  { arbitrary, seed, path }: Drawn,
  judge: Judge,
  stop: () => boolean,
): Promise<Finding> {
  const check = failedCheck(first) as string;
  const judged = new Map<string, Judged>([[formatCase(first.case), first]]);
  const fails = async (value: Case): Promise<boolean> => {
    const text = formatCase(value);
    const known = judged.get(text) ?? (stop() ? undefined : await tried(judge, value));
    if (known === undefined) return false;
    judged.set(text, known);
    return failedCheck(known) === check;
  };
  const unsteady = await runAgain(first, check, judge);
  const property = fc.asyncProperty(arbitrary, async (value) => !(await fails(value)));
  const details = await fc.check(property, { seed, path, numRuns: 1, endOnFailure: unsteady !== undefined });
  const smallest = details.counterexample?.[0] ?? first.case;
  const simple = unsteady === undefined ? await simplify(smallest, fails) : { case: smallest, steps: 0 };
  const last = judged.get(formatCase(simple.case)) ?? first;
  return {
    case: formatCase(simple.case),
    drawn: formatCase(first.case),
    check,
    message: last.result.reason,
    seed,
    path: details.counterexamplePath ?? path,
    shrinks: details.numShrinks + simple.steps,
    ...(unsteady === undefined ? {} : { unsteady }),
    result: last.result,
  };
}

/** A smaller case that cannot be made is none that fails. */
async function tried(judge: Judge, value: Case): Promise<Judged | undefined> {
  try {
    return await judge.one(value);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function runAgain(first: Judged, check: string, judge: Judge): Promise<Finding['unsteady']> {
  let failed = 1;
  for (let run = 0; run < RUNS_AGAIN; run++) {
    if (failedCheck(await judge.one(first.case)) === check) failed++;
  }
  return failed === RUNS_AGAIN + 1 ? undefined : { failed, runs: RUNS_AGAIN + 1 };
}
