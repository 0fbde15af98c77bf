import { fromReal } from '../../gate/results.ts';
import { type Measured, short } from '../numbers.ts';
import { oneLine } from '../printable.ts';

/** A number in scientific notation of one width, for a column that is read from top to bottom. */
export function scientific(value: Measured): string {
  if (value === undefined) return '–';
  const x = fromReal(value);
  return x === 0 || !Number.isFinite(x) ? short(value) : x.toExponential(2).replace('-', '−');
}

/** A number with a fixed number of decimals, where it is neither huge nor absent. */
export function fixed(value: Measured, decimals: number): string {
  if (value === undefined) return '–';
  const x = fromReal(value);
  return Math.abs(x) < 1e4 ? x.toFixed(decimals).replace('-', '−') : short(value);
}

/** A share in per cent: "10.7". */
export function percent(share: Measured): string {
  return share === undefined ? '–' : fixed(typeof share === 'number' ? 100 * share : share, 1);
}

// No file's names may fill the page: real ones are far shorter.
const LONGEST_NAME = 120;

/** A name from a file, on one line and of bounded length. */
export function name(text: string): string {
  return oneLine(text, LONGEST_NAME);
}

const LONGEST_SENTENCE = 600;

/** A sentence from a file, on one line and of bounded length. */
export function sentence(text: string): string {
  return oneLine(text, LONGEST_SENTENCE);
}

const LONGEST_PARAGRAPH = 4000;

/** A paragraph from a file, of bounded length. */
export function paragraph(text: string): string {
  return oneLine(text, LONGEST_PARAGRAPH);
}

/** A number that was printed elsewhere, in the digits that were printed. */
export function asPrinted(value: Measured): string {
  const x = value === undefined ? Number.NaN : fromReal(value);
  const digits = Number.isFinite(x) ? x.toExponential().replace('-', '−') : '';
  return x === 0 || digits === '' || digits.length > 9 ? scientific(value) : digits;
}

/** "2 levels", "1 level", "no recursion". */
export function levelsInWords(levels: number): string {
  return levels === 0 ? 'no recursion' : `${levels} level${levels === 1 ? '' : 's'}`;
}

const UP = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A power of ten: "10⁻⁷". */
export function powerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => UP[Number(digit)]).join('');
  return `10${exponent < 0 ? '⁻' : ''}${digits}`;
}
