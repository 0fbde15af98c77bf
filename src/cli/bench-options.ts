import { usualTiming, type WantedClock, wantedClocks } from '../bench/trial.ts';
import { type Given, parseChoice, parseList, parseNumber, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import type { Timing } from '../gpu/time-program.ts';
import { problem } from '../problems.ts';

const TRIALS = { least: 3, most: 1000, whole: true, need: 'a whole number from 3 to 1000' };
const WARM_UP = { least: 0, most: 100, whole: true, need: 'a whole number from 0 to 100' };
const SECONDS = { least: 0.01, most: 3600, whole: false, need: 'a number from 0.01 to 3600' };

/** The flags of `bench kernels` and `bench study` as a command line gives them. */
export type BenchFlags = Readonly<Record<string, Given>>;

/** How trials are made. */
export interface TrialOptions {
  readonly timing: Timing;
  readonly clock: WantedClock;
  readonly seed: number;
}

/** @throws Problem `bad-number`, `unknown-name`, `missing-option` */
export function trialOptions({ trials, warmUp, seconds, clock, seed }: BenchFlags): TrialOptions {
  const number = (option: string, given: Given, range: typeof TRIALS, usual: number) =>
    given === undefined ? usual : parseNumber(option, given, range);
  const count = number('--trials', trials, TRIALS, usualTiming.trials);
  return {
    timing: {
      ...usualTiming,
      trials: count,
      fewest: Math.min(count, usualTiming.fewest),
      warmUp: number('--warm-up', warmUp, WARM_UP, usualTiming.warmUp),
      most: number('--seconds', seconds, SECONDS, usualTiming.most),
    },
    clock: clock === undefined ? 'timestamps' : parseChoice('--clock', clock, wantedClocks),
    seed: seed === undefined ? 1 : parseNumber('--seed', seed, ranges.seed),
  };
}

const RANGE = /^(\d+)\.\.(\d+)$/;

/** A list of levels: "0..2", "1,3". @throws Problem `bad-number`, `missing-option` */
export function parseLevels(given: Given): number[] {
  const found = parseList('--levels', given).flatMap((item) => {
    const range = RANGE.exec(item);
    if (range === null) return [parseNumber('--levels', item, ranges.levels)];
    const [from, to] = range.slice(1).map((end) => parseNumber('--levels', end, ranges.levels));
    if (from > to) {
      const need = 'numbers and ranges that ascend, such as 0..2';
      throw problem('bad-number', { what: '--levels', given: item, need });
    }
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The text of an option, or what it is without. */
export function textOr<T>(option: string, given: Given, otherwise: T): string | T {
  return given === undefined ? otherwise : parseText(option, given);
}
