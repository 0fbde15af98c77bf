/**
 * Exact products by digits: each row of A and column of B is cut into whole digits of a base 2^w, in units of what its entries are
 * multiples of, and digits are multiplied by digits, without any error (the error-free transformation of Ozaki, Ogita, Oishi
 * and Rump, 2012, with both operands cut throughout, and integers as on GPUs).
 *
 * With X = Σ xₛ·2^(w·s) and Y = Σ yₜ·2^(w·t), XY = Σ_d 2^(w·d)·Σ_{s+t=d} xₛyₜ. Each digit is what rounding to a multiple of the next
 * one's unit leaves, so it is at most 2^(w−1) in magnitude; of entries below 2^bits the highest of `count` is at most 2^(bits − w·(count−1)).
 * The sums of a weight d are whole numbers, exact in doubles as long as they stay within 2^53.
 */

import type { Operands } from './operands.ts';
import type { Profile } from './profile.ts';

/** How the lines of an operand are cut. */
export interface Cut {
  readonly count: number;
  /** The highest digit is at most 2^top in magnitude. */
  readonly top: number;
}

/** How operands are cut: the base is 2^width for both. */
export interface Digits {
  readonly width: number;
  readonly a: Cut;
  readonly b: Cut;
}

/** Products of digits at most 2^14 each, two at a time, fit 32 bits, and digits 16. */
const WIDEST = 14;
/** Within these exponents no sum overflows, and what a sum leaves when it is rounded does not underflow. */
const HIGHEST_TOP = 400;
const LOWEST_GRID = -440;
/** The most digits of an operand. */
export const MOST = 4;
/** More digits of A times those of B are slower than the slices and anchors that products exact in a double allow. */
const MOST_OF_EXACT_PRODUCTS = 6;
/** The longest inner products that are summed by digits, 2^15: of three digits of 19 bits, three products stay within 2^53. */
export const LONGEST = 2 ** 15;

/**
 * How all lines of operands are cut; undefined where their exponents span too much, or lie too near the ends.
 * @param productsAreExact whether a double-double sum would have no error either where its exponents span as little.
 */
export function digitsOf(
  { shape: { k }, rows, cols }: Operands,
  productsAreExact: boolean,
): Digits | undefined {
  const [bitsA, bitsB] = [bitsOf(rows), bitsOf(cols)];
  if (k === 0 || k > LONGEST || bitsA === undefined || bitsB === undefined) return undefined;
  const [a, b] = [Math.ceil(bitsA / WIDEST), Math.ceil(bitsB / WIDEST)];
  if (Math.max(a, b) > MOST || (productsAreExact && a * b > MOST_OF_EXACT_PRODUCTS)) return undefined;
  return cutBy(bitsA, a, bitsB, b);
}

/** So many digits each, as narrow as they can be. */
export function cutBy(bitsA: number, a: number, bitsB: number, b: number): Digits {
  const width = Math.max(Math.ceil(bitsA / a), Math.ceil(bitsB / b));
  const top = (bits: number, count: number) => Math.max(0, bits - width * (count - 1));
  return { width, a: { count: a, top: top(bitsA, a) }, b: { count: b, top: top(bitsB, b) } };
}

/** All entries are below 2^bits in magnitude, in units of what their line's are multiples of. */
function bitsOf({ top, grid, finite }: Profile): number | undefined {
  let bits = 1;
  for (let line = 0; line < top.length; line++) {
    if (finite[line] === 0 || top[line] > HIGHEST_TOP) return undefined;
    if (top[line] < grid[line]) continue;
    if (grid[line] < LOWEST_GRID) return undefined;
    bits = Math.max(bits, top[line] - grid[line] + 1);
  }
  return bits;
}

/** What entries of a line are multiples of, as an exponent; of a line of zeros 0. */
export const unitOf = ({ top, grid }: Profile, line: number): number =>
  top[line] < grid[line] ? 0 : grid[line];

/** How many products of a digit `s` of A and a digit `t` of B add up to at most 2^31 − 1 in magnitude. */
export function termsOf({ width, a, b }: Digits, s: number, t: number): number {
  const size = ({ count, top }: Cut, at: number) => (at === count - 1 ? top : width - 1);
  return Math.floor((2 ** 31 - 1) / 2 ** (size(a, s) + size(b, t)));
}
