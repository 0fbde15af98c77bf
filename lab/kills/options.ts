import { number, seed, text, texts } from '../../src/options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../src/options/option.ts';
import { type NumberRange, ranges } from '../../src/problem/ranges.ts';

const range = (least: number, most: number): NumberRange => ({
  ...{ least, most, whole: true },
  need: `a whole number from ${least} to ${most}`,
});

export const killsOptions = {
  corpora: texts(
    '--corpora <names>',
    'Corpora: history, mutants, cheats, whole, recursions, formats, strangers',
    {
      usual: 'all',
    },
  ),
  sample: number(
    range(1, 10_000),
    '--sample <n>',
    'Kernels of each corpus, chosen by a hash of their names',
    {
      usual: 'all',
    },
  ),
  mutants: number(range(1, 10_000), '--mutants <n>', 'Mutants of each of three seeds', { usual: '100' }),
  seed: seed('1'),
  jobs: number(ranges.jobs, '--jobs <n>', 'Processes', { usual: '1' }),
  out: text('--out <folder>', 'Folder of the answers (to continue) and the matrix', {
    usual: 'reports/local/kills',
  }),
} as const satisfies OptionTable;

/** The request of `kills`. */
export type KillsRequest = ValuesOf<typeof killsOptions>;
