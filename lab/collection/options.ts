import { number, text, texts } from '../../src/options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../src/options/option.ts';
import type { Range } from '../../src/problem/ranges.ts';

const range = (least: number, most: number): Range => ({
  ...{ least, most, whole: true },
  need: `a whole number from ${least} to ${most}`,
});

export const catalogueOptions = {
  only: texts('--only <names>', 'Only these tables', { usual: 'all, which takes seven minutes' }),
  table: texts('--table <files>', 'The tables in these files, in place of all'),
  levels: number(range(1, 3), '--levels <n>', 'The most levels that are measured', { usual: '3' }),
  replicates: number(range(2, 1000), '--replicates <n>', 'Random pairs of operands of each shape', {
    usual: '6',
  }),
  out: text('--out <folder>', 'Where to write', { usual: 'reports/local/catalogue' }),
} as const satisfies OptionTable;

/** The request of a measurement of the catalogue. */
export type CatalogueRequest = ValuesOf<typeof catalogueOptions>;
