import { badNumber } from '../../base/messages.ts';
import { fileOptions, loadOptions, type RunRequest } from '../../config/command-options.ts';
import { runOptions, thresholdOptions } from '../../config/run-options.ts';
import { type Objective, objectives } from '../../fuzz/objective.ts';
import { any, choice, flag, number, text } from '../../options/kinds.ts';
import { duration, readList } from '../../options/node/read.ts';
import { type Option, type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import type { NearbySizes } from '../../problem/draws.ts';
import { ranges } from '../../problem/ranges.ts';
import { findStoredFolder } from '../../run/node/stored-folder.ts';
import { type ChosenShard, parseShard } from '../../run/shard.ts';
import { shardOption, timing } from '../gate/options.ts';

/** The default largest size that is drawn. */
export const MAX_SIZE = 4096;
/** The default number of cases of each kernel. */
export const RUNS = 500;

const AROUND = /^([mkn])=(\d{1,5})$/;

/** Sizes such as `m=513,k=2049`, or `none`. */
const around: Option<NearbySizes> = {
  flag: '--around <sizes>',
  what: 'Draw more cases near these sizes: m=513,k=2049, or none',
  usual: 'sizes where the bits of a kernel change',
  scope: 'cases',
  held: any('sizes such as m=513,k=2049, or none'),
  isList: false,
  read(option, texts) {
    const sizes: { -readonly [K in keyof NearbySizes]: NearbySizes[K] } = {};
    for (const item of readList(option, texts)) {
      const [, name, size] = AROUND.exec(item) ?? [];
      if (item === 'none') continue;
      if (name === undefined || Number(size) < 1)
        throw badNumber({ what: option, given: item, need: 'sizes such as m=513,k=2049, or none' });
      const key = name as keyof NearbySizes;
      sizes[key] = [...(sizes[key] ?? []), Number(size)];
    }
    return sizes;
  },
};

export const maxSize = number(
  ranges.size,
  '--max-size <n>',
  'Largest m, k and n (at most 2^20 multiplications)',
  { usual: String(MAX_SIZE), scope: 'cases' },
);

export const fuzzOptions = {
  ...pickOptions(runOptions, 'kernels'),
  precisions: { ...runOptions.precisions, usual: 'f32' },
  inputs: { ...runOptions.inputs, usual: 'all' },
  levels: { ...runOptions.levels, usual: '0 to 3, deep ones rarely' },
  maxSize,
  ...pickOptions(runOptions, 'seed'),
  around,
  path: text('--path <path>', 'Replay and shrink one case of the seed, as a violation prints', {
    ...{ scope: 'named', excludes: ['--maximize', '--of'] },
  }),
  fault: text('--fault <name>', 'Plant a self-test fault in the kernel (`list faults`)', { scope: 'cases' }),
  maximize: flag('--maximize', 'Search for the largest error instead of a violation'),
  of: choice(
    objectives.map(({ name }) => name),
    '--of <what>',
    'Error that --maximize searches for: sigmas or bound',
    { usual: 'sigmas' },
  ),
  ...pickOptions(loadOptions, 'config'),
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  sigmas: thresholdOptions.sigmas,
  ...fileOptions,
  cases: {
    ...runOptions.cases,
    what: 'Cases per kernel, instead of --time',
    usual: String(RUNS),
    excludes: ['--runs', '--time'],
  },
  runs: number(ranges.cases, '--runs <n>', 'Cases per kernel, unless --time ends them earlier', {
    ...{ usual: 'no limit with --time', scope: 'run' },
  }),
  time: duration('--time <time>', 'Start no case after this time: 90s, 10m, 2h', { scope: 'run' }),
  shard: shardOption,
  timing,
  corpus: text('--corpus <folder>', 'Folder for the failures found', {
    ...{ usual: 'fixtures/corpus', scope: 'reports' },
  }),
  ...pickOptions(runOptions, 'reporters', 'out'),
} as const satisfies OptionTable;

/** The request of a campaign of drawn cases. */
export interface FuzzRequest extends RunRequest, ValuesOf<typeof fuzzOptions> {}

export interface FuzzPlan {
  readonly maxSize: number;
  /** Runs of each kernel; infinite if only time limits them. */
  readonly runs: number;
  /** The time limit in seconds. */
  readonly time: number | undefined;
  readonly path: string | undefined;
  /** Sizes near which more cases are drawn; undefined to ask the kernels. */
  readonly around: NearbySizes | undefined;
  /** The quantity to maximize in a search; undefined for a campaign. */
  readonly objective: Objective | undefined;
  readonly fault: string | undefined;
  readonly corpus: string;
  readonly shard: ChosenShard | undefined;
}

/** Plans a campaign. @throws ParanoiaError `bad-shard` */
export function fuzzPlan(request: FuzzRequest): FuzzPlan {
  const { maxSize = MAX_SIZE, time, path, around, of, fault, corpus, shard } = request;
  const isSearch = request.maximize === true || of !== undefined;
  return {
    ...{ maxSize, time, path, around, fault },
    runs: request.cases ?? request.runs ?? (time === undefined ? RUNS : Number.POSITIVE_INFINITY),
    objective: isSearch ? objectives.find(({ name }) => name === (of ?? 'sigmas')) : undefined,
    corpus: findStoredFolder('corpus', corpus, true),
    shard: shard === undefined ? undefined : parseShard(shard, process.env),
  };
}

/** Formats sizes for `--around`. */
export function formatAround(around: NearbySizes): string {
  const items = Object.entries(around).flatMap(([key, sizes]) => sizes.map((size) => `${key}=${size}`));
  return items.length === 0 ? 'none' : items.join(',');
}
