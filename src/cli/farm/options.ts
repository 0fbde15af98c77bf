import { fileOptions, loadOptions, type RunRequest } from '../../config/command-options.ts';
import { runOptions, thresholdOptions } from '../../config/run-options.ts';
import { LEASE } from '../../farm/queue.ts';
import { flag, number, text } from '../../options/kinds.ts';
import { duration } from '../../options/node/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { maxSize } from '../fuzz/options.ts';
import { gateOptions, open } from '../gate/options.ts';

const store = text('--store <place>', 'Where results are kept: a folder, or s3://bucket/prefix', {
  usual: 'reports/store',
});
const queue = text('--queue <url>', 'Redis or Valkey, which hands out batches: redis://host:6379', {
  usual: 'the folder of the store',
});
const campaign = text('--campaign <id>', 'Which campaign of the store is meant, by the beginning of its id', {
  usual: 'the only one',
});

/** Options by which a worker finds its files and kernels. */
const ofKernels = { ...loadOptions, ...only(runOptions, 'kernels', 'precisions'), ...fileOptions };

export const submitOptions = {
  ...only(runOptions, 'kernels', 'inputs', 'levels', 'sizes', 'precisions', 'fringes', 'tails'),
  ...only(runOptions, 'seed', 'replicates', 'plain'),
  fuzz: number(
    ranges.cases,
    '--fuzz <n>',
    'So many drawn cases of each kernel, in place of those of a gate',
    {
      scope: 'cases',
      excludes: [
        ...['--size', '--fringe', '--tail', '--replicates', '--plain', '--budget', '--cases', '--corpus'],
        ...['--drift', '--baselines'],
      ],
    },
  ),
  maxSize: { ...maxSize, requires: '--fuzz' },
  ...ofKernels,
  ...only(runOptions, 'adapter', 'toggles', 'baselines'),
  ...thresholdOptions,
  ...only(gateOptions, 'corpus'),
  ...only(runOptions, 'budget', 'cases'),
  ...{ store, queue },
} as const satisfies OptionTable;

export const workOptions = {
  ...ofKernels,
  ...only(runOptions, 'adapter', 'toggles', 'baselines'),
  ...thresholdOptions,
  jobs: number(ranges.jobs, '--jobs <n>', 'Processes that judge, each with a device of its own', {
    ...{ usual: '1', scope: 'run' },
  }),
  lease: duration('--lease <time>', 'After so long a worker that is silent loses its batch', {
    ...{ usual: `${LEASE}s`, scope: 'run' },
  }),
  noWait: flag('--no-wait', 'End where there is no campaign yet', { usual: 'wait for one', scope: 'run' }),
  ...{ store, queue, campaign },
} as const satisfies OptionTable;

export const watchOptions = {
  ...{ store, queue, campaign },
  once: flag('--once', 'Look once'),
} as const satisfies OptionTable;

export const collectOptions = {
  ...{ store, campaign },
  adapter: {
    ...runOptions.adapter,
    what: 'Results of this adapter alone, by part of its name',
    usual: undefined,
  },
  allowMixed: flag('--allow-mixed', 'Join results of different adapters'),
  ...only(runOptions, 'reporters', 'out'),
  open,
} as const satisfies OptionTable;

export interface SubmitRequest extends RunRequest, ValuesOf<typeof submitOptions> {}
export interface WorkRequest extends RunRequest, ValuesOf<typeof workOptions> {}
export type WatchRequest = ValuesOf<typeof watchOptions>;
export interface CollectRequest extends ValuesOf<typeof collectOptions> {
  readonly verbose?: true | undefined;
}
