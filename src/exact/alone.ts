import { lowestBit } from '../base/binary64.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { dotExpansion, roundToPair } from './expansion.ts';

/** An entry of the exact product: see `product` and `low` of {@link ExactProduct}. */
export interface ExactEntry {
  readonly value: number;
  readonly low: number;
}

/** Factors below this are split in halves without overflow. */
const LARGEST_FACTOR = 2 ** 990;
/** Sums of magnitudes below this do not overflow. */
const LARGEST_SUM = 2 ** 1000;
/** Products above this are multiples of 2^-1074, including halves of the factors and errors: each has at most 106 bits. */
const LEAST_PRODUCT = 2 ** -900;

/**
 * Computes the inner product of two lines of k entries, correctly rounded as in {@link ExactProduct}. It is summed term by term as an
 * expansion, or in integers if that could overflow or underflow.
 */
export function computeEntry(row: Float64Array, column: Float64Array): ExactEntry {
  const k = row.length;
  const [x, y] = [extentOf(row), extentOf(column)];
  if (!Number.isFinite(x.most) || !Number.isFinite(y.most))
    return { value: nonFiniteDot(row, 0, column, 0, k), low: 0 };
  if (x.most === 0 || y.most === 0) return { value: 0, low: 0 };
  const isSafe =
    x.most < LARGEST_FACTOR &&
    y.most < LARGEST_FACTOR &&
    x.most * y.most * k < LARGEST_SUM &&
    x.least * y.least > LEAST_PRODUCT;
  if (isSafe) return roundToPair(dotExpansion(row, 0, column, 0, k));
  const [unitX, unitY] = [commonUnitExponent(row), commonUnitExponent(column)];
  return roundInteger(
    integerDot(toIntegers(row, 0, k, unitX), toIntegers(column, 0, k, unitY)),
    unitX + unitY,
  );
}

/** Returns the largest magnitude of a line, not finite if an entry is not, and the least magnitude other than 0. */
function extentOf(line: Float64Array): { readonly most: number; readonly least: number } {
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < line.length; t++) {
    const size = Math.abs(line[t]);
    if (!(size < Number.POSITIVE_INFINITY)) return { most: Number.NaN, least };
    if (size > most) most = size;
    if (size !== 0 && size < least) least = size;
  }
  return { most, least };
}

/** Returns an exponent g such that all entries are multiples of 2^g; 0 if all are 0. */
export function commonUnitExponent(line: Float64Array): number {
  const grid = line.reduce((least, x) => (x === 0 ? least : Math.min(least, lowestBit(x))), Infinity);
  return grid === Infinity ? 0 : grid;
}

/**
 * Returns the IEEE 754 answer for an inner product with a NaN or an infinity among its factors: NaN if there is a NaN, a 0·Inf or an
 * Inf−Inf, otherwise the infinity. Finite products are left out: their exact sum is finite, and could only overflow on the way.
 *
 * @param a rows of A; the row starts at `ai`. @param bt columns of B; the column starts at `bi`.
 * @param k the length of both.
 */
export function nonFiniteDot(a: Float64Array, ai: number, bt: Float64Array, bi: number, k: number): number {
  let sum = 0;
  for (let t = 0; t < k; t++) {
    const x = a[ai + t];
    const y = bt[bi + t];
    if (!Number.isFinite(x) || !Number.isFinite(y)) sum += x * y;
  }
  return sum;
}
