import { lookUp } from '../base/look-up.ts';
import { badNumber, unknownName } from '../base/messages.ts';
import type { Flags } from '../config/flags.ts';
import { type Given, parseChoice, parseList, parseNumber, parseText } from '../config/flags.ts';
import type { Timing } from '../gpu/runner/time.ts';
import { ranges } from '../problem/ranges.ts';
import { usualTiming, type WantedClock, wantedClocks } from '../study/bench/trial.ts';

const TRIALS = { least: 3, most: 1000, whole: true, need: 'a whole number from 3 to 1000' };
const WARM_UP = { least: 0, most: 100, whole: true, need: 'a whole number from 0 to 100' };
const SECONDS = { least: 0.01, most: 3600, whole: false, need: 'a number from 0.01 to 3600' };

/** How trials are made. */
export interface TrialOptions {
  readonly timing: Timing;
  readonly clock: WantedClock;
  readonly seed: number;
}

/** @throws ParanoiaError `bad-number`, `unknown-name`, `missing-option` */
export function trialOptions({ trials, warmUp, seconds, clock, seed }: Flags): TrialOptions {
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

/** A list of levels: "0..2", "1,3". @throws ParanoiaError `bad-number`, `missing-option` */
export function parseLevels(given: Given): number[] {
  const found = parseList('--levels', given).flatMap((item) => {
    const range = RANGE.exec(item);
    if (range === null) return [parseNumber('--levels', item, ranges.levels)];
    const [from, to] = range.slice(1).map((end) => parseNumber('--levels', end, ranges.levels));
    if (from > to) {
      const need = 'numbers and ranges that ascend, such as 0..2';
      throw badNumber({ what: '--levels', given: item, need });
    }
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The text of an option, or what it is without. */
export function textOr<T>(option: string, given: Given, otherwise: T): string | T {
  return given === undefined ? otherwise : parseText(option, given);
}

const device = ['adapter', 'toggle'];

/** The options that each part of `bench` takes, by name in camel case; `all` stands for `bench` without a word. */
const options = {
  all: [...device, 'size', 'runs', 'gate', 'fuzz', 'json'],
  kernels: [
    ...[...device, 'config', 'kernels', 'sizes', 'levels', 'input', 'precision', 'fringe', 'tail'],
    ...['trials', 'warmUp', 'seconds', 'clock', 'seed', 'out', 'json'],
  ],
  reference: ['size', 'runs', 'json'],
} as const;

/** What `bench` times, by the word behind it. */
export type BenchPart = keyof typeof options;

/** Refuses options of other parts of `bench`, which would be given in vain. @throws ParanoiaError `unknown-name` */
export function refuseOtherParts(part: BenchPart, flags: Flags): void {
  refuseOthers(`option of bench${part === 'all' ? '' : ` ${part}`}`, options[part], flags);
}

/**
 * Refuses options that are not among those known, by name in camel case.
 * @param what what they are options of: `option of bench kernels`.
 * @throws ParanoiaError `unknown-name`
 */
export function refuseOthers(what: string, known: readonly string[], flags: Flags): void {
  const everywhere = [...known, 'verbose', '--'];
  // Options that can be negated are true where they are not given.
  const given = Object.keys(flags).filter((name) => {
    const value = lookUp(flags, name);
    return value !== undefined && !isUsual(name, value);
  });
  const other = given.find((name) => !everywhere.includes(name));
  if (other !== undefined) throw unknownName({ what, given: dashed(other), known: known.map(dashed) });
}

const isUsual = (name: string, value: unknown) => (name === 'gate' || name === 'fuzz') && value === true;

function dashed(name: string): string {
  if (name === 'gate' || name === 'fuzz') return `--no-${name}`;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
