import { jsonOrFile } from '../../src/cli/bench/options.ts';
import { number, seed, text, texts } from '../../src/options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../src/options/option.ts';
import { type NumberRange, ranges } from '../../src/problem/ranges.ts';

const range = (least: number, most: number): NumberRange => ({
  ...{ least, most, whole: true },
  need: `a whole number from ${least} to ${most}`,
});

export const gradersOptions = {
  graders: texts('--graders <names>', 'Graders to run; ours are gate and gate-quick', {
    usual: 'all, takes hours',
  }),
  set: texts('--set <names>', 'Corpora: history, unseen, mutants, cheats, honest', { usual: 'all' }),
  sample: number(range(1, 10_000), '--sample <n>', 'Kernels drawn from each set', {
    usual: 'all',
  }),
  most: number(
    { ...range(1, 2 ** 40), need: 'a whole number from 1 to 2^40' },
    '--most <n>',
    'Maximum multiplications of a product; larger ones shrink',
    {
      usual: '2^27',
    },
  ),
  seed: seed('1'),
  jobs: number(ranges.jobs, '--jobs <n>', 'Processes', { usual: '1' }),
  out: text('--out <folder>', 'Folder of the outcomes (to continue) and the report', {
    usual: 'reports/local/graders',
  }),
  json: jsonOrFile,
} as const satisfies OptionTable;

/** The request of `graders`. */
export type GradersRequest = ValuesOf<typeof gradersOptions>;
