import { type Objective, objectives } from '../../fuzz/objective.ts';
import type { Around } from '../../problem/draws.ts';
import { type ChosenShard, parseShard } from '../../run/shard.ts';
import { storedFolder } from '../files.ts';
import { type FuzzRequest, MAX_SIZE, RUNS } from './options.ts';

/** What a campaign is to do. */
export interface FuzzPlan {
  readonly maxSize: number;
  /** Runs of each kernel; infinitely many where only the time ends them. */
  readonly runs: number;
  /** Seconds. */
  readonly time: number | undefined;
  readonly path: string | undefined;
  /** Sizes beside which more is drawn; undefined where the kernels are to be asked. */
  readonly around: Around | undefined;
  /** What to search the largest of; undefined for a campaign. */
  readonly objective: Objective | undefined;
  readonly fault: string | undefined;
  readonly corpus: string;
  readonly shard: ChosenShard | undefined;
}

/** @throws ParanoiaError `bad-shard` */
export function fuzzPlan(request: FuzzRequest): FuzzPlan {
  const { maxSize = MAX_SIZE, time, path, around, of, fault, corpus, shard } = request;
  const isSearch = request.maximize === true || of !== undefined;
  return {
    ...{ maxSize, time, path, around, fault },
    runs: request.cases ?? request.runs ?? (time === undefined ? RUNS : Number.POSITIVE_INFINITY),
    objective: isSearch ? objectives.find(({ name }) => name === (of ?? 'sigmas')) : undefined,
    corpus: storedFolder('corpus', corpus, true),
    shard: shard === undefined ? undefined : parseShard(shard, process.env),
  };
}

/** The text that `--around` reads. */
export function formatAround(around: Around): string {
  const items = Object.entries(around).flatMap(([key, sizes]) => sizes.map((size) => `${key}=${size}`));
  return items.length === 0 ? 'none' : items.join(',');
}
