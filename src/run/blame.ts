import { type Clock, wallClock } from '../base/clock.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Replay } from '../evidence/result-of.ts';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import { counted } from '../report/numbers.ts';
import type { Moment } from './history.ts';
import { shortest } from './shortest.ts';

/** Seconds after which the shortest sequence so far is the one that is told. */
const SEARCH = 15;
/** Times that the case is run again for it at most. */
const RERUNS = 200;
/** Times that a case is run alone where its failure does not repeat itself. */
const ALONE = 10;
/** Times more that both are to repeat themselves: that a case passes alone, and fails after others. */
const CONFIRMED = 1;
/** Times more that a failure is to repeat itself alone, where it was: in one process, which costs little. */
const AGAIN = 2;
/** Products of one case from which it has repeated itself often enough. */
const MANY = 100;

type Unsteady = NonNullable<CaseResult['unsteady']>;

/** How the failed case is judged once more. */
export interface Rerun {
  /** After others, in a kernel that has computed nothing before. */
  readonly after: (before: readonly Case[]) => Promise<CaseResult>;
  /** Where it was judged last. */
  readonly again: () => Promise<CaseResult>;
}

/** How a failure is blamed. */
export interface Blaming {
  /** The command that runs cases one after the other. */
  readonly replay: Replay;
  /** Asked between runs: true keeps what is found. */
  readonly stop: () => boolean;
  /** The clock of all limits of time. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
  /** Cases after which another one was found to fail: they are tried first. */
  readonly known?: readonly Case[] | undefined;
}

/**
 * Says of a failure whose it is. Run again alone it fails, and is its own; or it passes: then it fails only after others,
 * the fewest of which are looked for among those that its kernel has computed before it, or by chance.
 * @param moment what its kernel had computed before it, and meanwhile.
 * @returns the result of the case as its replay gives it, with the sequence, or how often it fails.
 */
export async function blame(
  failed: CaseResult,
  { cases, at }: Moment,
  rerun: Rerun,
  { known, replay, stop, clock = wallClock }: Blaming,
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
  const before = whole && (await shortest(whole, fails, ended));
  if (before !== undefined && (await isSteady(before, fails))) return afterOthers(shown, before, replay);
  const unsteady = await countAlone(0, fails, ended);
  // After others it failed more than once.
  if (before !== undefined && unsteady.failed === 0) return afterOthers(shown, before, replay);
  return byChance(failed, unsteady, at);
}

/** A failure that is its own; of one that passes when it is asked again, how often it fails first is counted. */
async function ofItsOwn(
  alone: CaseResult,
  { again }: Rerun,
  ended: () => boolean,
  countAlone: () => Promise<Unsteady>,
): Promise<CaseResult> {
  // What gave no product is not waited for again.
  if (alone.exact === undefined || parseCase(alone.case).problem.repeats >= MANY) return alone;
  for (let run = 0; run < AGAIN && !ended(); run++) {
    if ((await again()).verdict === 'fail') continue;
    const unsteady = await countAlone();
    return unsteady.failed === unsteady.runs ? alone : byChance(alone, unsteady, 0);
  }
  return alone;
}

/** Cases just before that are tried alone, fewest first: who counts its calls fails after as many again. */
const FEW = 7;

/** What a case may fail after: all before it; all of its process, where cases are computed together; a few. */
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

/** Shapes that are named one by one. */
const NAMED = 3;

function afterOthers(failed: CaseResult, before: readonly Case[], replay: Replay): CaseResult {
  const shapes = before.map(({ problem: { m, k, n } }) => `${m}×${k}×${n}`);
  const which =
    shapes.length > NAMED
      ? `${shapes.length} others, the last ${shapes.at(-1)}`
      : [shapes.slice(0, -1).join(', '), ...shapes.slice(-1)].filter((part) => part !== '').join(' and ');
  const after = before.map(formatCase);
  return {
    ...withReason(failed, `It passes alone, and fails only after ${which}: ${failed.reason}`),
    after,
    replay: replay(...after, failed.case),
  };
}

/** How often a case fails alone, of which the first time is known. */
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
      ? `It fails by chance, ${count} of ${runs} times alone`
      : `It failed once, after ${counted(others, 'other')}, and neither after them again nor alone, ${counted(runs, 'time')}`;
  return { ...withReason(failed, `${how}: ${failed.reason}`), unsteady };
}

const withReason = (failed: CaseResult, reason: string): CaseResult => ({
  ...failed,
  reason,
  checks: [{ name: 'state', status: 'fail', message: reason }, ...failed.checks],
});
