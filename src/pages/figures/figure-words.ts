import { toOneLine } from '../../base/printable.ts';
import { formatExponent, formatShort, type MeasuredNumber } from '../../report/numbers.ts';

// The limit keeps names of a file from filling a page. Real names are far shorter.
const LONGEST_NAME = 120;

/** Returns a name from a file, on one line and of bounded length. */
export const shortName = (text: string): string => toOneLine(text, LONGEST_NAME);

/** Returns "2 levels", "1 level" or "no recursion". */
export const describeLevels = (levels: number): string =>
  levels === 0 ? 'no recursion' : `${levels} level${levels === 1 ? '' : 's'}`;

/** Writes a published number with its published digits. */
export function formatPublished(value: MeasuredNumber): string {
  const text = Number(value).toExponential();
  return Number.isFinite(Number(value)) && text.length <= 9 ? text : formatExponent(value);
}

/** Describes speed-up and lost bits: "1.2 times as fast, 3.1 bits lost". */
export const describeTrade = (speedUp: number, bitsLost: number): string =>
  `${formatShort(speedUp)} times as fast, ${formatShort(Math.round(10 * bitsLost) / 10)} bits lost`;
