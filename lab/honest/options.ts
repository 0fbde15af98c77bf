import { json } from '../../src/cli/gate/options.ts';
import { runOptions } from '../../src/config/run-options.ts';
import { number, seed, text } from '../../src/options/kinds.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../../src/options/option.ts';
import { ranges } from '../../src/problem/ranges.ts';

export const honestOptions = {
  cases: number(
    { least: 1, most: 10_000_000, whole: true, need: 'a whole number from 1 to 10000000' },
    '--cases <n>',
    'Random cases',
    { usual: '1000' },
  ),
  case: text('--case <case>', 'Only this case, as a false alarm prints it', {
    excludes: ['--cases', '--jobs'],
  }),
  seed: seed('1'),
  jobs: number(ranges.jobs, '--jobs <n>', 'Processes that share the cases, with seeds from --seed on', {
    usual: '1',
  }),
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  json,
} as const satisfies OptionTable;

/** The request of `honest`. */
export type HonestRequest = ValuesOf<typeof honestOptions>;
