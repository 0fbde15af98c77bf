import { json } from '../../src/cli/gate/options.ts';
import { runOptions } from '../../src/config/run-options.ts';
import { number, seed } from '../../src/options/kinds.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../src/options/option.ts';
import { ranges } from '../../src/problem/ranges.ts';

export const historyOptions = {
  runs: number(
    { least: 1, most: 1_000_000, whole: true, need: 'a whole number from 1 to 1000000' },
    '--runs <n>',
    'Cases that fuzz draws per bug',
    { usual: 'its own' },
  ),
  jobs: number(ranges.jobs, '--jobs <n>', 'Bugs tested in parallel', { usual: '1' }),
  ...pickOptions(runOptions, 'adapter'),
  seed: seed('of each command'),
  json,
} as const satisfies OptionTable;

/** The request of `history`. */
export type HistoryRequest = ValuesOf<typeof historyOptions>;
