import { text } from '../../src/options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../src/options/option.ts';

export const orderOptions = {
  out: text('--out <folder>', 'Folder of the tables and the figure', { usual: 'reports/kills' }),
  data: text('--data <file>', 'File of the learned order', { usual: 'src/run/order/learned-order.ts' }),
} as const satisfies OptionTable;

/** The request of `order`. */
export type OrderRequest = ValuesOf<typeof orderOptions>;
