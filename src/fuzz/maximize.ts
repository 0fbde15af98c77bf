import fc from 'fast-check';
import type { Case } from '../gate/case.ts';
import type { CaseResult } from '../gate/results.ts';
import { seeded } from '../inputs/random.ts';
import { caseArbitrary, type Space } from './case-arbitrary.ts';
import { failedCheck, type Judge, type Judged } from './judge.ts';
import { mutate } from './mutate.ts';
import type { Objective } from './objective.ts';
import { seedOfRound } from './seed-of-round.ts';
import type { Target } from './target.ts';

/** A search for the case with the largest error. */
export interface SearchOptions {
  readonly target: Target;
  readonly space: Space;
  readonly judge: Judge;
  readonly objective: Objective;
  readonly seed: number;
  /** Cases that are judged at most. */
  readonly runs: number;
  /** Asked between generations: true ends the search with what it has. */
  readonly stop: () => boolean;
  readonly onJudged?: (judged: Judged) => void;
  readonly onChampion?: (champion: Champion) => void;
}

/** The case with the largest error so far. */
export interface Champion {
  readonly case: Case;
  readonly value: number;
  readonly result: CaseResult;
}

/** What a search found. */
export interface SearchOutcome {
  readonly champion: Champion | undefined;
  /** A case that violates a claim: the search ends with it. */
  readonly violation: Judged | undefined;
  readonly interrupted: boolean;
}

/** Cases of a generation: a third are drawn afresh, the others are near the best so far. */
const GENERATION = 48;
const FRESH = GENERATION / 3;
const ELITE = 6;

/**
 * Searches by mutation and selection: each generation changes the best cases a little, beside new ones that keep it from
 * staying where it began. The same seed and options give the same search.
 */
export async function maximize(options: SearchOptions): Promise<SearchOutcome> {
  const { target, space, judge, objective, seed, runs, stop, onJudged, onChampion } = options;
  const arbitrary = caseArbitrary(target, space);
  const own = seedOfRound(seed, target, 0);
  const random = seeded(own, 1);
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

function entrant({ case: value, result }: Judged, objective: Objective): Champion[] {
  const size = objective.of(result);
  return size === undefined || !(size > 0) ? [] : [{ case: value, value: size, result }];
}
