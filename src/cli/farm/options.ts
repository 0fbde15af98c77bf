import { fileOptions, loadOptions, type RunRequest } from '../../config/command-options.ts';
import { runOptions, thresholdOptions } from '../../config/run-options.ts';
import { LEASE } from '../../farm/queue.ts';
import { flag, number, text } from '../../options/kinds.ts';
import { duration } from '../../options/node/read.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { maxSize } from '../fuzz/options.ts';
import { gateOptions, open } from '../gate/options.ts';

const store = text('--store <place>', 'Store of results: a folder or s3://bucket/prefix', {
  usual: 'reports/store',
});
const queue = text('--queue <url>', 'Redis or Valkey that hands out batches: redis://host:6379', {
  usual: 'the folder of the store',
});
const campaign = text('--campaign <id>', 'Campaign, by the first characters of its id', {
  usual: 'the only one',
});

/** Options by which a worker finds its files and kernels. */
const ofKernels = { ...loadOptions, ...pickOptions(runOptions, 'kernels', 'precisions'), ...fileOptions };

export const submitOptions = {
  ...pickOptions(runOptions, 'kernels', 'inputs', 'levels', 'sizes', 'precisions', 'fringes', 'tails'),
  ...pickOptions(runOptions, 'seed', 'replicates', 'plain'),
  fuzz: number(ranges.cases, '--fuzz <n>', 'Random cases per kernel, instead of a gate', {
    scope: 'cases',
    excludes: [
      ...['--size', '--fringe', '--tail', '--replicates', '--plain', '--budget', '--cases', '--corpus'],
      ...['--drift', '--baselines'],
    ],
  }),
  maxSize: { ...maxSize, requires: '--fuzz' },
  ...ofKernels,
  ...pickOptions(runOptions, 'adapter', 'toggles', 'baselines'),
  ...thresholdOptions,
  ...pickOptions(gateOptions, 'corpus'),
  ...pickOptions(runOptions, 'budget', 'cases'),
  ...{ store, queue },
} as const satisfies OptionTable;

export const workOptions = {
  ...ofKernels,
  ...pickOptions(runOptions, 'adapter', 'toggles', 'baselines'),
  ...thresholdOptions,
  jobs: number(ranges.jobs, '--jobs <n>', 'Worker processes, each with its own device', {
    ...{ usual: '1', scope: 'run' },
  }),
  lease: duration('--lease <time>', 'A worker that is silent this long loses its batch', {
    ...{ usual: `${LEASE}s`, scope: 'run' },
  }),
  noWait: flag('--no-wait', 'End if the store has no campaign', { usual: 'wait for one', scope: 'run' }),
  ...{ store, queue, campaign },
} as const satisfies OptionTable;

export const watchOptions = {
  ...{ store, queue, campaign },
  once: flag('--once', 'Print the progress once, and end'),
} as const satisfies OptionTable;

export const collectOptions = {
  ...{ store, campaign },
  adapter: {
    ...runOptions.adapter,
    what: 'Only results of this adapter, by part of its name',
    usual: undefined,
  },
  allowMixed: flag('--allow-mixed', 'Join results of different adapters'),
  ...pickOptions(runOptions, 'reporters', 'out'),
  open,
} as const satisfies OptionTable;

export interface SubmitRequest extends RunRequest, ValuesOf<typeof submitOptions> {}
export interface WorkRequest extends RunRequest, ValuesOf<typeof workOptions> {}
export type WatchRequest = ValuesOf<typeof watchOptions>;
export interface CollectRequest extends ValuesOf<typeof collectOptions> {
  readonly verbose?: true | undefined;
}

/** Writes a number of batches with its noun: "1 batch", "8 batches". */
export const batchesText = (count: number): string => `${count} ${count === 1 ? 'batch' : 'batches'}`;
