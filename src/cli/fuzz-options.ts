import { DURATIONS, secondsOf } from '../base/duration.ts';
import { badNumber } from '../base/messages.ts';
import type { Flags } from '../config/flags.ts';
import { type Given, parseChoices, parseList, parseNumber, parseText } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { type Objective, objectives } from '../fuzz/objective.ts';
import type { Around } from '../problem/draws.ts';
import { ranges } from '../problem/ranges.ts';
import { type ChosenShard, parseShard } from '../run/shard.ts';
import { storedFolder } from './files.ts';

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

const MAX_SIZE = 4096;
const RUNS = 500;

/** @throws ParanoiaError `bad-number`, `missing-option`, `unknown-name`, `conflicting-options`, `bad-shard` */
export function fuzzPlan(flags: Flags): FuzzPlan {
  const { cases, runs, time, path, around, of, fault, corpus, shard } = flags;
  const maximize = flags.maximize === true || of !== undefined;
  const text = (option: string, given: Given) => (given === undefined ? undefined : parseText(option, given));
  if (path !== undefined && maximize) throw conflictingOptions({ one: '--path', other: '--maximize' });
  const other = runs !== undefined ? '--runs' : time !== undefined ? '--time' : undefined;
  if (cases !== undefined && other !== undefined) throw conflictingOptions({ one: '--cases', other });
  const names = objectives.map(({ name }) => name);
  const [chosen] = of === undefined ? ['sigmas'] : parseChoices('--of', of, names);
  const given = text('--shard', shard);
  return {
    maxSize: sizeOf(flags),
    runs: runsOf(flags),
    time: time === undefined ? undefined : parseDuration('--time', time),
    path: text('--path', path),
    around: around === undefined ? undefined : readAround(around),
    objective: maximize ? objectives.find(({ name }) => name === chosen) : undefined,
    fault: text('--fault', fault),
    corpus: storedFolder('corpus', text('--corpus', corpus), true),
    shard: given === undefined ? undefined : parseShard(given, process.env),
  };
}

/** Runs of each kernel. @throws ParanoiaError `bad-number` */
function runsOf({ cases, runs, time }: Flags): number {
  if (cases !== undefined) return parseNumber('--cases', cases, ranges.cases);
  if (runs !== undefined) return parseNumber('--runs', runs, ranges.cases);
  return time === undefined ? RUNS : Number.POSITIVE_INFINITY;
}

/** The largest size that is drawn. @throws ParanoiaError `bad-number` */
export const sizeOf = ({ maxSize }: Flags): number =>
  maxSize === undefined ? MAX_SIZE : parseNumber('--max-size', maxSize, ranges.size);

const AROUND = /^([mkn])=(\d{1,5})$/;

/** `m=513,k=2049`, or `none`. @throws ParanoiaError `bad-number` */
function readAround(given: Given): Around {
  const around: { -readonly [K in keyof Around]: Around[K] } = {};
  for (const item of parseList('--around', given)) {
    const [, name, size] = AROUND.exec(item) ?? [];
    if (item === 'none') continue;
    if (name === undefined || Number(size) < 1)
      throw badNumber({ what: '--around', given: item, need: 'sizes such as m=513,k=2049, or none' });
    const key = name as keyof Around;
    around[key] = [...(around[key] ?? []), Number(size)];
  }
  return around;
}

/** The text that {@link readAround} reads. */
export function formatAround(around: Around): string {
  const items = Object.entries(around).flatMap(([key, sizes]) => sizes.map((size) => `${key}=${size}`));
  return items.length === 0 ? 'none' : items.join(',');
}

/** Seconds of "90", "90s", "10m" or "2h". @throws ParanoiaError `bad-number` */
export function parseDuration(option: string, given: Given): number {
  const text = parseText(option, given);
  const seconds = secondsOf(text);
  if (seconds === undefined) throw badNumber({ what: option, given: text, need: DURATIONS });
  return seconds;
}
