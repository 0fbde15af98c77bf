import { badNumber } from '../../base/messages.ts';
import { loadOptions } from '../../config/command-options.ts';
import { runOptions } from '../../config/run-options.ts';
import type { DeviceTimingOptions } from '../../gpu/runner/time.ts';
import {
  any,
  choice,
  choices,
  field,
  flag,
  number,
  optionalValue,
  seed,
  texts,
} from '../../options/kinds.ts';
import { readList, readNumber, shapes } from '../../options/node/read.ts';
import { type Option, type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import { fringes, tails } from '../../problem/method.ts';
import { type NumberRange, ranges } from '../../problem/ranges.ts';
import { defaultTiming, type WantedClock, wantedClocks } from '../../study/bench/trial.ts';

const range = (least: number, most: number, whole: boolean): NumberRange => ({
  ...{ least, most, whole },
  need: `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
});

export const trialOptions = {
  trials: number(range(3, 1000, true), '--trials <n>', 'Timed trials', {
    usual: String(defaultTiming.trials),
  }),
  warmUp: number(range(0, 100, true), '--warm-up <n>', 'Warm-up products before the trials', {
    usual: String(defaultTiming.warmUp),
  }),
  seconds: number(range(0.01, 3600, false), '--seconds <s>', 'Time limit per kernel, after five trials', {
    usual: String(defaultTiming.most),
  }),
  clock: choice(wantedClocks, '--clock <which>', 'Clock: timestamps, submission or whole', {
    usual: 'timestamps',
  }),
  seed: seed('1'),
} as const satisfies OptionTable;

export interface TrialSettings {
  readonly timing: DeviceTimingOptions;
  readonly clock: WantedClock;
  readonly seed: number;
}

export function trialsOf(values: ValuesOf<typeof trialOptions>): TrialSettings {
  const {
    trials = defaultTiming.trials,
    warmUp = defaultTiming.warmUp,
    seconds = defaultTiming.most,
  } = values;
  return {
    timing: {
      ...defaultTiming,
      ...{ trials, warmUp, fewest: Math.min(trials, defaultTiming.fewest), most: seconds },
    },
    clock: values.clock ?? 'timestamps',
    seed: values.seed ?? 1,
  };
}

const RANGE = /^(\d+)\.\.(\d+)$/;

/** Levels such as "0..2" and "1,3". */
export const levels: Option<readonly number[]> = {
  flag: '--levels <levels>',
  what: 'Levels of fast algorithms: 0..2 or 1,3',
  usual: '0..2',
  held: any('levels such as 0..2'),
  isList: true,
  read(option, given) {
    const found = readList(option, given).flatMap((item) => {
      const ends = RANGE.exec(item);
      if (ends === null) return [readNumber(option, item, ranges.levels)];
      const [from, to] = ends.slice(1).map((end) => readNumber(option, end, ranges.levels));
      if (from > to) {
        const need = 'ascending numbers or ranges, such as 0..2';
        throw badNumber({ what: option, given: item, need });
      }
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    });
    return [...new Set(found)].sort((a, b) => a - b);
  },
};

export const jsonOrFile = optionalValue('--json [file]', 'Print JSON, or write it to a file');

export const kernelOptions = {
  kernels: texts('--kernels <names>', 'Kernels: strassen, :tiled, or host:double on the CPU', {
    usual: ':register',
  }),
  sizes: shapes(ranges.size, '--sizes <sizes>', 'Sizes: 512 or 512x256x128', {
    usual: '512 to 8192 on a GPU, 128 to 512 in software',
  }),
  levels,
  input: field('input', 'uniform'),
  precision: field('precision', 'f32'),
  fringe: choices(fringes, '--fringe <how>', 'Fringes: pad, peel or pad,peel', { usual: 'pad' }),
  tail: choices(tails, '--tail <how>', 'Tails: mask, pad or mask,pad', { usual: 'mask' }),
  ...trialOptions,
  ...pickOptions(loadOptions, 'config'),
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  out: { ...runOptions.out, what: 'Folder for bench.json, bench.md and bench.html', usual: undefined },
  json: jsonOrFile,
} as const satisfies OptionTable;

export const overviewOptions = {
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  size: number(ranges.size, '--size <n>', 'Size of the leaf products', { usual: '512' }),
  runs: number(ranges.runs, '--runs <n>', 'Timed runs per leaf kernel', { usual: '5' }),
  noGate: flag('--no-gate', 'Skip the gate'),
  noFuzz: flag('--no-fuzz', 'Skip fuzzing'),
  json: jsonOrFile,
} as const satisfies OptionTable;

export const benchReferenceOptions = {
  size: number(ranges.size, '--size <n>', 'Size of the products', { usual: '1024' }),
  runs: number(ranges.runs, '--runs <n>', 'Timed runs per method', { usual: '3' }),
  json: jsonOrFile,
} as const satisfies OptionTable;

/** The request of `bench kernels`. */
export interface KernelsRequest extends ValuesOf<typeof kernelOptions> {
  readonly verbose?: true | undefined;
}
export type OverviewRequest = ValuesOf<typeof overviewOptions>;
export type BenchReferenceRequest = ValuesOf<typeof benchReferenceOptions>;
