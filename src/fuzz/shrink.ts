import fc from 'fast-check';
import { type Case, formatCase } from '../gate/case.ts';
import { Problem } from '../problems.ts';
import type { Finding } from './finding.ts';
import { failedCheck, type Judge, type Judged } from './judge.ts';
import { simplify } from './simplify.ts';

/** How often a failure must repeat itself: what fails by chance is no smaller case. */
const REPEATS = 8;

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
  drawn: Drawn,
  judge: Judge,
  stop: () => boolean,
): Promise<Finding> {
  const check = failedCheck(first) as string;
  const failures = new Map<string, Judged>([[formatCase(first.case), first]]);
  const passes = new Set<string>();
  const again = async (value: Case) => failedCheck(await judge.one(value)) === check;
  const fails = async (value: Case): Promise<boolean> => {
    const text = formatCase(value);
    if (failures.has(text)) return true;
    if (passes.has(text) || stop()) return false;
    const judged = await tried(judge, value);
    const steady = judged !== undefined && failedCheck(judged) === check && (await always(value, again));
    if (steady) failures.set(text, judged);
    else passes.add(text);
    return steady;
  };
  const unsteady = await countAgain(first.case, again);
  const [smallest, path, shrinks] =
    unsteady === undefined
      ? await smallestOf(first.case, drawn, fails)
      : ([first.case, drawn.path, 0] as const);
  const simple = unsteady === undefined ? await simplify(smallest, fails) : { case: smallest, steps: 0 };
  const smaller = [...failures.values()].reverse();
  const { at, unsteady: chance } = unsteady
    ? { at: 0, unsteady }
    : await firstSteady(smaller, (value) => countAgain(value, again), stop);
  const { case: value, result } = unsteady ? first : smaller[at];
  return {
    case: formatCase(value),
    drawn: formatCase(first.case),
    check,
    message: result.reason,
    seed: drawn.seed,
    // The path leads to the smallest case; to another one, by way of the run that was drawn.
    path: at === 0 ? path : drawn.path,
    shrinks: Math.max(0, shrinks + simple.steps - at),
    ...(chance === undefined ? {} : { unsteady: chance }),
    result,
  };
}

/**
 * The smallest failure that repeats itself: one that got there by chance, as races do, is left for one before it. Where
 * none repeats itself, the smallest.
 */
async function firstSteady(
  failures: readonly Judged[],
  countOf: (value: Case) => Promise<Finding['unsteady']>,
  stop: () => boolean,
): Promise<{ at: number; unsteady: Finding['unsteady'] }> {
  let smallest: Finding['unsteady'];
  for (const [at, judged] of failures.entries()) {
    const unsteady = await countOf(judged.case);
    if (unsteady === undefined) return { at, unsteady };
    smallest ??= unsteady;
    if (stop()) break;
  }
  return { at: 0, unsteady: smallest };
}

/** What fast-check shrinks a failure to, its path, and in how many steps. */
async function smallestOf(
  first: Case,
  { arbitrary, seed, path }: Drawn,
  fails: (value: Case) => Promise<boolean>,
): Promise<readonly [Case, string, number]> {
  const property = fc.asyncProperty(arbitrary, async (value) => !(await fails(value)));
  const { counterexample, counterexamplePath, numShrinks } = await fc.check(property, {
    seed,
    path,
    numRuns: 1,
  });
  return [counterexample?.[0] ?? first, counterexamplePath ?? path, numShrinks];
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

async function always(value: Case, again: (value: Case) => Promise<boolean>): Promise<boolean> {
  for (let run = 1; run < REPEATS; run++) if (!(await again(value))) return false;
  return true;
}

/** How often a case that failed fails when it is run again; undefined where it always does. */
async function countAgain(
  value: Case,
  again: (value: Case) => Promise<boolean>,
): Promise<Finding['unsteady']> {
  let failed = 1;
  for (let run = 0; run < REPEATS; run++) if (await again(value)) failed++;
  return failed === REPEATS + 1 ? undefined : { failed, runs: REPEATS + 1 };
}
