import { number, text, texts } from '../../src/options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../src/options/option.ts';
import type { NumberRange } from '../../src/problem/ranges.ts';

const range = (least: number, most: number): NumberRange => ({
  ...{ least, most, whole: true },
  need: `a whole number from ${least} to ${most}`,
});

export const catalogueOptions = {
  only: texts('--only <names>', 'Names of the tables to measure', { usual: 'all, seven minutes' }),
  table: texts('--table <files>', 'Files of tables to measure instead'),
  levels: number(range(1, 3), '--levels <n>', 'Maximum levels of recursion', { usual: '3' }),
  replicates: number(range(2, 1000), '--replicates <n>', 'Random pairs of operands per shape', {
    usual: '6',
  }),
  out: text('--out <folder>', 'Output folder', { usual: 'reports/local/catalogue' }),
} as const satisfies OptionTable;

/** The request of a measurement of the catalogue. */
export type CollectionRequest = ValuesOf<typeof catalogueOptions>;
