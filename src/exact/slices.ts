/**
 * Exact products by integer slices: each row of A and column of B is an integer multiple of a power of two, cut into digits of base 256
 * from −128 to 127, and digits are multiplied by digits (Ozaki, Ogita, Oishi, Rump, *Error-free transformations of matrix
 * multiplication*, 2012, with integers instead of doubles).
 *
 * With X = Σ xₛ·256^s and Y = Σ yₜ·256^t, XY = Σ_d 256^d·Σ_{s+t=d} xₛyₜ. All terms of a diagonal d have one weight, so they share an i32
 * sum. A product of two digits is at most 2^14 in magnitude: a sum of fewer than 2^17 of them stays within ±(2^31 − 2^14), also on the
 * way, in any order. {@link listPasses} cuts k if a diagonal has more terms. The sums of the pieces are added, shifted, into two's
 * complement integers of {@link wordsFor} words. These may wrap on the way, which does no harm, since they are right modulo 2^(32·words)
 * and the result is smaller than half of that.
 */

const DIGIT_BITS = 8;
/** The most terms whose sum cannot leave an i32: fewer than 2^31 / 2^14. */
export const MOST_TERMS = 2 ** 17 - 1;
/**
 * The most digits that a GPU multiplies; lines with more are left to the CPU, since two of them need the square of their number of slice
 * products.
 */
export const MOST_SLICES = 16;

/**
 * Returns the digits of integers below 2^bits in magnitude. `count` digits reach down to −128·(256^count − 1)/255 and up to
 * 127·(256^count − 1)/255, which is above 2^(8·count − 2).
 */
export function slicesFor(bits: number): number {
  return Math.max(1, Math.ceil((bits + 2) / DIGIT_BITS));
}

/** Returns the 32-bit words of a two's complement integer that holds every sum of k products below 2^bitsA·2^bitsB. */
export function wordsFor(bitsA: number, bitsB: number, k: number): number {
  return Math.max(2, Math.ceil((bitsA + bitsB + Math.ceil(Math.log2(Math.max(k, 1))) + 1) / 32));
}

/** A pass over a part of k: all products of a slice s of A and a slice t of B with s + t = `diagonal`. */
export interface SlicePass {
  readonly diagonal: number;
  /** The range of packed words of four digits along k. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the passes of a product of `slicesA` and `slicesB` slices over `words` packed words of four digits. Every pair of slices meets
 * every word once, and no pass adds up more than `most` products of digits for an entry.
 * @param step passes begin and end at multiples of this many words.
 */
export function listPasses(
  slicesA: number,
  slicesB: number,
  words: number,
  step: number,
  most = MOST_TERMS,
): SlicePass[] {
  const passes: SlicePass[] = [];
  for (let diagonal = 0; diagonal < slicesA + slicesB - 1; diagonal++) {
    const pairs = Math.min(diagonal + 1, slicesA, slicesB, slicesA + slicesB - 1 - diagonal);
    const length = Math.max(step, Math.floor(most / pairs / 4 / step) * step);
    for (let from = 0; from < words; from += length) {
      passes.push({ diagonal, from, to: Math.min(from + length, words) });
    }
  }
  return passes;
}

/** The exponents of a line (a row of A, a column of B) before it is cut. */
export interface LineSize {
  /** The exponent of its largest entry. */
  readonly top: number;
  /** The exponent of the line's unit: every entry is a multiple of 2^grid. */
  readonly grid: number;
}

/**
 * The exponents of lines whose products have exact sums that are zero or normal binary64 numbers, for k up to 2^22, including remainders
 * of rounding.
 */
const LOWEST_GRID = -511;
const HIGHEST_TOP = 499;

/** Returns the significant bits of a line's entries as multiples of 2^grid; undefined if the line is left to the CPU. */
export function significantBitsOf({ top, grid }: LineSize): number | undefined {
  if (grid < LOWEST_GRID || top > HIGHEST_TOP) return undefined;
  const bits = top + 1 - grid;
  return slicesFor(bits) <= MOST_SLICES ? bits : undefined;
}
