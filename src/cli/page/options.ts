import { flag, number, text } from '../../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';

/** The port of the page: free on most computers. */
export const PORT = 4386;

export const pageOptions = {
  port: number(ranges.port, '--port <n>', 'Where on this computer: 0 for any port that is free', {
    usual: String(PORT),
  }),
  open: flag('--open', 'Show it in a browser'),
  out: text('--out <folder>', 'Write its files there, for any server of files, and serve nothing'),
} as const satisfies OptionTable;
export type PageRequest = ValuesOf<typeof pageOptions>;
