import fc from 'fast-check';
import { ParanoiaError } from '../base/errors.ts';
import { findRanges, formatRanges } from '../inputs/edits/zero.ts';
import { type Case, changeCase, formatCase } from '../problem/case.ts';
import type { CampaignFinding } from '../run/results.ts';
import { type CaseOutcome, failedCheck, type Scheduler } from '../run/scheduler.ts';

/** Number of reruns that must repeat a failure. A failure by chance is no smaller case. */
const REPEATS = 8;

/** Origin of a drawn failure. */
export interface DrawOrigin {
  readonly arbitrary: fc.Arbitrary<Case>;
  readonly seed: number;
  /** The fast-check path: the run, and the steps of shrinking after it, if any. */
  readonly path: string;
}

/** Converts a failure to a finding without shrinking. */
export function toFinding({ result, case: { problem } }: CaseOutcome, check: string): CampaignFinding {
  const { case: text, reason, after, unsteady } = result;
  return {
    ...{ case: text, drawnCase: text, check, message: reason, seed: problem.seed, shrinks: 0, result },
    ...(after === undefined ? {} : { after }),
    ...(unsteady === undefined ? {} : { unsteady }),
  };
}

/**
 * Shrinks a failure to the smallest case that fails the same check alone, then to the simplest values. A failure only after others, or by
 * chance, is left as it is.
 * @param stop true if the search must end with what it has. Asked between steps.
 */
export async function shrink(
  found: CaseOutcome,
  drawn: DrawOrigin,
  judge: Scheduler,
  stop: () => boolean,
): Promise<CampaignFinding> {
  const first = await judge.blamed(found, { stop });
  const check = failedCheck(first) as string;
  if (first.result.after !== undefined) return toFinding(first, check);
  if (first.result.unsteady !== undefined)
    return { ...toFinding(first, check), seed: drawn.seed, path: drawn.path };
  const finding = await smallestAlone(first, drawn, judge, stop, false);
  return finding ?? ((await smallestAlone(first, drawn, judge, stop, true)) as CampaignFinding);
}

/**
 * @param careful true if every smaller case is run alone. Else smaller cases run without a reset. The result is undefined if the
 * smallest then passes alone, where its kernel keeps state.
 */
async function smallestAlone(
  first: CaseOutcome,
  drawn: DrawOrigin,
  judge: Scheduler,
  stop: () => boolean,
  careful: boolean,
): Promise<CampaignFinding | undefined> {
  const check = failedCheck(first) as string;
  const failures = new Map<string, CaseOutcome>([[formatCase(first.case), first]]);
  const passes = new Set<string>();
  const again = async (value: Case) => failedCheck(await judge.one(value)) === check;
  const fails = async (value: Case): Promise<boolean> => {
    const text = formatCase(value);
    if (failures.has(text)) return true;
    if (passes.has(text) || stop()) return false;
    if (careful) await judge.renew(value);
    const judged = await tried(judge, value);
    const steady = judged !== undefined && failedCheck(judged) === check && (await always(value, again));
    if (steady) failures.set(text, judged);
    else passes.add(text);
    return steady;
  };
  const countAlone = async (value: Case) => {
    await judge.renew(value);
    return countAgain(value, again);
  };
  const unsteady = await countAlone(first.case);
  const [smallest, path, shrinks] =
    unsteady === undefined
      ? await smallestOf(first.case, drawn, fails)
      : ([first.case, drawn.path, 0] as const);
  const simple = unsteady === undefined ? await simplify(smallest, fails) : { case: smallest, steps: 0 };
  const smaller = [...failures.values()].reverse();
  const { at, unsteady: chance } = unsteady
    ? { at: 0, unsteady }
    : await firstSteady(smaller, countAlone, stop);
  if (at > 0 && !careful && first.moment !== undefined && !stop()) return undefined;
  const { case: value, result } = unsteady ? first : smaller[at];
  return {
    case: formatCase(value),
    drawnCase: formatCase(first.case),
    check,
    message: result.reason,
    seed: drawn.seed,
    // The path leads to the smallest case. For another case it is that of the drawn run.
    path: at === 0 ? path : drawn.path,
    shrinks: Math.max(0, shrinks + simple.steps - at),
    ...(chance === undefined ? {} : { unsteady: chance }),
    result,
  };
}

/**
 * Returns the smallest failure that repeats itself. A failure by chance, as of a race, gives way to an earlier one. Where none repeats
 * itself, the smallest is returned.
 */
async function firstSteady(
  failures: readonly CaseOutcome[],
  countOf: (value: Case) => Promise<CampaignFinding['unsteady']>,
  stop: () => boolean,
): Promise<{ at: number; unsteady: CampaignFinding['unsteady'] }> {
  let smallest: CampaignFinding['unsteady'];
  for (const [at, judged] of failures.entries()) {
    const unsteady = await countOf(judged.case);
    if (unsteady === undefined) return { at, unsteady };
    smallest ??= unsteady;
    if (stop()) break;
  }
  return { at: 0, unsteady: smallest };
}

/** Shrinks a failure with fast-check. Returns the smallest case, its path, and the number of steps. */
async function smallestOf(
  first: Case,
  { arbitrary, seed, path }: DrawOrigin,
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

/** Judges a smaller case. Undefined if it cannot be made: it then does not count as a failure. */
async function tried(judge: Scheduler, value: Case): Promise<CaseOutcome | undefined> {
  try {
    return await judge.one(value);
  } catch (error) {
    if (error instanceof ParanoiaError) return undefined;
    throw error;
  }
}

async function always(value: Case, again: (value: Case) => Promise<boolean>): Promise<boolean> {
  for (let run = 1; run < REPEATS; run++) if (!(await again(value))) return false;
  return true;
}

/** Counts the failures of a failed case in reruns. Undefined where it always fails. */
async function countAgain(
  value: Case,
  again: (value: Case) => Promise<boolean>,
): Promise<CampaignFinding['unsteady']> {
  let failed = 1;
  for (let run = 0; run < REPEATS; run++) if (await again(value)) failed++;
  return failed === REPEATS + 1 ? undefined : { failed, runs: REPEATS + 1 };
}

/** Returns true if a case still fails as the first one did. */
type StillFails = (value: Case) => Promise<boolean>;

/** Edits that set lines to zero, in the order tried. */
const lines = [
  { edit: 'zero-inner', count: ({ problem: { k } }: Case) => k },
  { edit: 'zero-rows', count: ({ problem: { m } }: Case) => m },
  { edit: 'zero-columns', count: ({ problem: { n } }: Case) => n },
] as const;

/**
 * Simplifies the values of a case that cannot shrink further. Entries become ±1, else powers of two. Then as many inner indices, rows and
 * columns as possible become zero.
 * @returns a case that fails too, and the number of steps.
 */
export async function simplify(start: Case, stillFails: StillFails): Promise<{ case: Case; steps: number }> {
  let [best, steps] = [start, 0];
  const accept = async (candidate: Case) => {
    if (!(await stillFails(candidate))) return false;
    [best, steps] = [candidate, steps + 1];
    return true;
  };
  if (!(await accept(edited(best, 'ones')))) await accept(edited(best, 'powers'));
  for (const { edit, count } of lines) {
    const base = best;
    const zeroing = (zeros: readonly number[]) => edited(base, `${edit}:${formatRanges(findRanges(zeros))}`);
    await largestSet(count(base), (zeros) => accept(zeroing(zeros)));
  }
  return { case: best, steps };
}

function edited(value: Case, edit: string): Case {
  const before = value.problem.edit;
  return changeCase(value, { edit: before === 'none' ? edit : `${before},${edit}` });
}

/**
 * Grows a set of indices that passes a test, after delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input", 2002): tries to add halves of the rest, then quarters, down to single ones.
 */
async function largestSet(
  count: number,
  passes: (chosen: readonly number[]) => Promise<boolean>,
): Promise<void> {
  let chosen: number[] = [];
  for (let size = Math.ceil(count / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const rest = Array.from({ length: count }, (_, at) => at).filter((at) => !chosen.includes(at));
    for (let from = 0; from < rest.length; from += size) {
      const more = [...chosen, ...rest.slice(from, from + size)];
      if (more.length < count && (await passes(more))) chosen = more;
    }
  }
}
