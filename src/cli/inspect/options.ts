import {
  fileOptions,
  loadOptions,
  type RunRequest,
  runOptions,
  trustOptions,
} from '../../config/run-options.ts';
import { flag, numbers } from '../../options/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { gateOptions, json } from '../gate/options.ts';

export const inspectOptions = {
  kernels: { ...runOptions.kernels, usual: undefined },
  ...only(runOptions, 'precisions'),
  levels: { ...runOptions.levels, what: 'Levels that kernels of ours run at', usual: '0' },
  ofSizes: numbers(ranges.size, '--size <list>', 'Sizes n of n×n×n at which the algorithm is asked', {
    ...{ usual: 'while it takes little time', scope: 'cases' },
  }),
  seed: runOptions.seed,
  quick: flag('--quick', 'About 100 small products'),
  ...only(loadOptions, 'config'),
  ...only(runOptions, 'adapter', 'toggles'),
  ...fileOptions,
  untrusted: { ...gateOptions.untrusted, what: 'Hold its processes, as `judge` does', excludes: undefined },
  ...trustOptions,
  json,
} as const satisfies OptionTable;

/** The request of an inspection. */
export interface InspectRequest extends RunRequest, ValuesOf<typeof inspectOptions> {}
