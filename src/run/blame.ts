import { type Clock, wallClock } from '../base/time.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { ReplayCommand } from '../evidence/result-of.ts';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import type { Moment } from './history.ts';

/** Time limit of the search, in seconds: the shortest sequence found by then is reported. */
const SEARCH = 15;
/** Most reruns of a case in the search for a sequence. */
const RERUNS = 200;
/** Most reruns of a case alone where its failure is not reproducible. */
const ALONE = 10;
/**
 * Extra reruns that must confirm both observations: the case passes alone and fails after the others. A case that fails by chance, in every
 * other run, does so with a probability of 1/64.
 */
const CONFIRMED = 3;
/** Extra reruns that must confirm a failure alone, in the same process, which costs little. */
const AGAIN = 2;
/** Number of products of one case from which the case has repeated itself often enough. */
const MANY = 100;

type Unsteady = NonNullable<CaseResult['unsteady']>;

export interface CaseReruns {
  /** Runs the case after others, in a kernel that has computed nothing before. */
  readonly after: (before: readonly Case[]) => Promise<CaseResult>;
  /** Runs the case again where it was judged last. */
  readonly again: () => Promise<CaseResult>;
}

/** Options of the search for the cause of a failure. */
export interface BlameOptions {
  /** The command that runs cases one after the other. */
  readonly replay: ReplayCommand;
  /** True if the search must end. Asked between runs; what was found so far is kept. */
  readonly stop: () => boolean;
  /** Clock of all time limits. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
  /** Cases after which another case was found to fail. They are tried first. */
  readonly known?: readonly Case[] | undefined;
}

/**
 * Attributes a failure. The case is run again alone. If it fails, the failure is its own. If it passes, it fails only after other
 * cases, or by chance. The shortest sequence of other cases is searched among those that its kernel computed before it.
 * @param moment the cases that its kernel had computed before it, and meanwhile.
 * @returns the result of the case as its replay gives it, with the sequence, or the number of failures.
 */
export async function attributeFailure(
  failed: CaseResult,
  { cases, at }: Moment,
  rerun: CaseReruns,
  { known, replay, stop, clock = wallClock }: BlameOptions,
): Promise<CaseResult> {
  const start = clock();
  let reruns = 0;
  const ended = () => stop() || reruns >= RERUNS || clock() - start > 1000 * SEARCH;
  let shown = failed;
  const fails = async (before: readonly Case[]): Promise<boolean> => {
    reruns++;
    const result = await rerun.after(before);
    if (result.verdict === 'fail') shown = result;
    return result.verdict === 'fail';
  };
  if (await fails([])) return ofItsOwn(shown, rerun, ended, () => countAlone(1, fails, ended));
  if (known !== undefined && (await fails(known))) return afterOthers(shown, known, replay);
  let whole: readonly Case[] | undefined;
  for (const [turn, before] of sequences(cases, at).entries()) {
    if (whole === undefined && (turn === 0 || !ended()) && (await fails(before))) whole = before;
  }
  const before = whole && (await findShortest(whole, fails, ended));
  if (before !== undefined && (await isSteady(before, fails))) return afterOthers(shown, before, replay);
  const unsteady = await countAlone(0, fails, ended);
  // After the others it failed more than once.
  if (before !== undefined && unsteady.failed === 0) return afterOthers(shown, before, replay);
  return byChance(failed, unsteady, at);
}

/** Confirms a failure of the case alone. If the case passes when run again, its failures alone are counted first. */
async function ofItsOwn(
  alone: CaseResult,
  { again }: CaseReruns,
  ended: () => boolean,
  countAlone: () => Promise<Unsteady>,
): Promise<CaseResult> {
  // A case without a product is not run again.
  if (alone.exact === undefined || parseCase(alone.case).problem.repeats >= MANY) return alone;
  for (let run = 0; run < AGAIN && !ended(); run++) {
    if ((await again()).verdict === 'fail') continue;
    const unsteady = await countAlone();
    return unsteady.failed === unsteady.runs ? alone : byChance(alone, unsteady, 0);
  }
  return alone;
}

/**
 * Number of cases directly before the failed one that are tried alone, fewest first. A kernel that counts its calls fails after as
 * many again.
 */
const FEW = 7;

/** Candidate sequences: all cases before it; all cases of its process, where cases are computed together; the last few. */
function sequences(cases: readonly Case[], at: number): Case[][] {
  const few = Array.from({ length: Math.min(FEW, at) }, (_, less) => cases.slice(at - 1 - less, at));
  return [cases.slice(0, at), [...cases], ...few].filter(({ length }) => length > 0);
}

async function isSteady(before: readonly Case[], fails: (before: readonly Case[]) => Promise<boolean>) {
  for (let run = 0; run < CONFIRMED; run++) {
    if ((await fails([])) || !(await fails(before))) return false;
  }
  return true;
}

/** Most shapes that a sentence lists one by one. */
const NAMED = 3;

function afterOthers(failed: CaseResult, before: readonly Case[], replay: ReplayCommand): CaseResult {
  const shapes = before.map(({ problem: { m, k, n } }) => `${m}×${k}×${n}`);
  const which =
    shapes.length > NAMED
      ? `${shapes.length} other products (${shapes.at(-1)} last)`
      : [shapes.slice(0, -1).join(', '), ...shapes.slice(-1)].filter((part) => part !== '').join(' and ');
  const after = before.map(formatCase);
  return {
    ...withReason(
      failed,
      `This case fails only if ${which} ran before it, in the same process. ${failed.reason}`,
    ),
    after,
    replay: replay(...after, failed.case),
  };
}

/** Counts the failures of a case run alone. The outcome of the first run is known. */
async function countAlone(
  failed: number,
  fails: (before: readonly Case[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<Unsteady> {
  const count = { failed, runs: 1 };
  while (count.runs < ALONE && !ended()) {
    count.runs++;
    if (await fails([])) count.failed++;
  }
  return count;
}

function byChance(failed: CaseResult, unsteady: Unsteady, others: number): CaseResult {
  const { failed: count, runs } = unsteady;
  const how =
    count > 0
      ? `It fails intermittently, in ${count} of ${runs} runs alone`
      : `It failed once, after ${formatCount(others, 'other case')}. It passed when repeated after ${others === 1 ? 'it' : 'them'}, and in ${formatCount(runs, 'run')} alone`;
  return { ...withReason(failed, `${how}: ${failed.reason}`), unsteady };
}

const withReason = (failed: CaseResult, reason: string): CaseResult => ({
  ...failed,
  reason,
  checks: [{ name: 'state', status: 'fail', message: reason }, ...failed.checks],
});

/**
 * Finds the shortest part of a list that fails, in its order, by delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002, ddmin): its parts are tried, then the remainder without each, then smaller parts. No item can be left out
 * of the returned list, unless the search was ended.
 * @param all a failing list.
 * @param ended called before each try; true ends the search.
 */
export async function findShortest<T>(
  all: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<readonly T[]> {
  let [best, parts] = [all, 2];
  while (best.length > 1 && !ended()) {
    const found = await smaller(best, Math.min(parts, best.length), fails, ended);
    if (found !== undefined) [best, parts] = [found.items, found.parts];
    else if (parts >= best.length) return best;
    else parts *= 2;
  }
  return best;
}

/** Returns a failing part of the list, or the failing list without one part, and the number of parts for the next cut. */
async function smaller<T>(
  list: readonly T[],
  parts: number,
  fails: (part: readonly T[]) => Promise<boolean>,
  ended: () => boolean,
): Promise<{ items: readonly T[]; parts: number } | undefined> {
  const cut = (part: number) => Math.floor((part * list.length) / parts);
  // The last part is tried first: the spoiling case is often the one before.
  const places = Array.from({ length: parts }, (_, at) => parts - 1 - at);
  const tries = [
    ...places.map((part) => ({ items: list.slice(cut(part), cut(part + 1)), parts: 2 })),
    ...(parts === 2 ? [] : places).map((part) => ({
      items: [...list.slice(0, cut(part)), ...list.slice(cut(part + 1))],
      parts: Math.max(2, parts - 1),
    })),
  ];
  for (const one of tries) {
    if (ended()) return undefined;
    if (await fails(one.items)) return one;
  }
  return undefined;
}
