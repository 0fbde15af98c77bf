import fc from 'fast-check';
import type { Random } from '../base/random.ts';
import { createRandom } from '../base/random.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { type Case, flattenCase } from '../problem/case.ts';
import { pickItem, type WholeNumberSource } from '../problem/draws.ts';
import { fieldOf } from '../problem/fields.ts';
import type { FieldKey, FlatCase } from '../problem/problem.ts';
import { type CaseOutcome, failedCheck, type Scheduler } from '../run/scheduler.ts';
import { type CaseSpace, caseArbitrary, drawRangesFor, familiesFor } from './case-arbitrary.ts';
import type { Objective } from './objective.ts';
import { settleFields } from './settle-fields.ts';
import { seedOfRound } from './similar-cases.ts';
import type { Target } from './target.ts';

/** Options of a search for the case with the largest error. */
export interface SearchOptions {
  readonly target: Target;
  readonly space: CaseSpace;
  readonly judge: Scheduler;
  readonly objective: Objective;
  readonly seed: number;
  /** Most judged cases. */
  readonly runs: number;
  /** True if the search must end with what it has. Asked between generations. */
  readonly stop: () => boolean;
  readonly onJudged?: (judged: CaseOutcome) => void;
  readonly onChampion?: (champion: Champion) => void;
}

/** The case with the largest error so far. */
export interface Champion {
  readonly case: Case;
  readonly value: number;
  readonly result: CaseResult;
}

/** Outcome of a search. */
export interface SearchOutcome {
  readonly champion: Champion | undefined;
  /** A case that violates a claim. It ends the search. */
  readonly violation: CaseOutcome | undefined;
  readonly interrupted: boolean;
}

/** Number of cases of a generation. A third are new draws, and the others are near the best so far. */
const GENERATION = 48;
const FRESH = GENERATION / 3;
const ELITE = 6;

/**
 * Searches by mutation and selection. Each generation changes the best cases a little, and adds new ones against local maxima. The same
 * seed and options give the same search.
 */
export async function maximize(options: SearchOptions): Promise<SearchOutcome> {
  const { target, space, judge, objective, seed, runs, stop, onJudged, onChampion } = options;
  const arbitrary = caseArbitrary(target, space);
  const own = seedOfRound(seed, target, 0);
  const random = createRandom(own, 1);
  let elite: Champion[] = [];
  for (let done = 0, generation = 0; done < runs; generation++) {
    if (stop()) return { champion: elite[0], violation: undefined, interrupted: true };
    const size = Math.min(GENERATION, runs - done);
    const fresh = fc.sample(arbitrary, { seed: seedOfRound(seed, target, generation), numRuns: size });
    const near = (at: number) => mutate(elite[at % elite.length].case, random, target, space);
    const cases = fresh.map((value, at) => (at < FRESH || elite.length === 0 ? value : near(at)));
    const judged = await judge.judge(cases);
    for (const one of judged) onJudged?.(one);
    done += size;
    const best = elite[0]?.value ?? 0;
    elite = [...elite, ...judged.flatMap((one) => entrant(one, objective))]
      .sort((x, y) => y.value - x.value)
      .slice(0, ELITE);
    if (elite[0] !== undefined && elite[0].value > best) onChampion?.(elite[0]);
    const violation = judged.find((one) => failedCheck(one) !== undefined);
    if (violation !== undefined) return { champion: elite[0], violation, interrupted: false };
  }
  return { champion: elite[0], violation: undefined, interrupted: false };
}

function entrant({ case: value, result }: CaseOutcome, objective: Objective): Champion[] {
  const size = objective.of(result);
  return size === undefined || !(size > 0) ? [] : [{ case: value, value: size, result }];
}

/** Fields that a mutation draws anew, each as often as it is listed. Sizes change a little or a lot. */
const CHANGES: readonly (readonly FieldKey[])[] = [
  ...Array.from({ length: 6 }, () => ['seed'] as const),
  ...(['m', 'k', 'n'] as const).map((key) => [key]),
  ['m', 'k', 'n'],
  ['levels'],
  ['fringe', 'tail'],
  ['input'],
  ['edit'],
];

/** Most tried changes before only the seed of a case changes. */
const TRIES = 20;

/** Returns a case near another one that its input and its kernel accept. */
function mutate(value: Case, random: Random, target: Target, space: CaseSpace): Case {
  const drawn = drawRangesFor(target, space);
  const dice: WholeNumberSource = (least, most) => random.int(least, most);
  const redrawn = (keys: readonly FieldKey[], all: FlatCase) =>
    Object.fromEntries(keys.map((key) => [key, fieldOf(key).draw?.any(drawn, dice, all)]));
  const near = (keys: readonly FieldKey[]): Case | undefined => {
    const all = flattenCase(value);
    const isSize = keys.includes('m') || keys.includes('k') || keys.includes('n');
    const change = isSize ? resized(keys, all, random, space) : redrawn(keys, all);
    return settleFields({ ...all, ...change }, target, familiesFor(target, space));
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const found = near(pickItem(dice, CHANGES));
    if (found !== undefined) return found;
  }
  return near(['seed']) ?? value;
}

/** Returns one changed size, or three equal ones, a little or a lot larger or smaller. */
function resized(
  keys: readonly FieldKey[],
  { m, k, n, ...all }: FlatCase,
  random: Random,
  { maxSize }: CaseSpace,
) {
  const before = keys.length === 1 ? Number({ ...all, m, k, n }[keys[0]]) : Math.max(m, k, n);
  const after =
    random.int(0, 1) === 0 ? before + random.int(-4, 4) : Math.round(before * random.uniform(0.5, 2));
  const size = Math.min(maxSize, Math.max(1, after));
  return Object.fromEntries(keys.map((key) => [key, size]));
}
