import { oneLine } from '../../base/printable.ts';
import { exponent, type Measured, short } from '../../report/numbers.ts';

// The limit keeps names of a file from filling a page. Real names are far shorter.
const LONGEST_NAME = 120;

/** Returns a name from a file, on one line and of bounded length. */
export const name = (text: string): string => oneLine(text, LONGEST_NAME);

/** Returns "2 levels", "1 level" or "no recursion". */
export const levelsInWords = (levels: number): string =>
  levels === 0 ? 'no recursion' : `${levels} level${levels === 1 ? '' : 's'}`;

/** Writes a published number with its published digits. */
export function asPrinted(value: Measured): string {
  const text = Number(value).toExponential();
  return Number.isFinite(Number(value)) && text.length <= 9 ? text : exponent(value);
}

/** Describes speed-up and lost bits: "1.2 times as fast, 3.1 bits lost". */
export const tradeSaid = (speedUp: number, bitsLost: number): string =>
  `${short(speedUp)} times as fast, ${short(Math.round(10 * bitsLost) / 10)} bits lost`;
