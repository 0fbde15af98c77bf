import { mapNumbers } from '../base/numbers.ts';
import type { ExactOperands } from './operands.ts';
import type { ExponentProfile } from './profile.ts';

/**
 * The lines of operands for which inner products of k exact products are summed without any error in two doubles, with four additions a
 * product.
 *
 * As in {@link Anchors}, hi starts at an anchor 1.5·2^E and takes of each product p what its spacing 2^(E−52) holds: next = hi + p. The
 * remainder p − (next − hi), of at most 2^(E−53), is exact. Here the remainders are added up in one ordinary double, lo, which is exact
 * too as long as its sums stay within 2^53 units of what all terms are multiples of.
 *
 * Let row i have entries below 2^(tA+1) that are multiples of 2^gA, column j below 2^(tB+1) of 2^gB, and k ≤ 2^L.
 * - The magnitudes of the products sum up to less than 2^(tA+tB+2+L); E = tA+tB+4+L is two more. Rounding k terms to the spacing adds at
 *   most k·2^(E−53) ≤ 2^(E−2) for L ≤ 51, so hi stays between 2^E and 2^(E+1), where the spacing holds.
 * - The remainders are multiples of 2^(gA+gB) that sum up to at most k·2^(E−53) ≤ 2^(tA+tB+2L−49). All sums are exact if that is at most
 *   2^(53+gA+gB): if (tA−gA) + (tB−gB) ≤ 102 − 2L.
 *
 * So a line is described by its reach, t − g, and an entry by the sum of two reaches. For k = 32768 = 2^15, the largest dimension, the
 * limit is 72: more than the 46 of f32 entries of one binade, each row and column in its own.
 */
export interface AnchorWindow {
  /** The reach of each row of A and column of B; {@link TOO_WIDE} for lines that are not finite or near the ends of the exponents. */
  readonly rowReach: Int32Array;
  readonly colReach: Int32Array;
  /** The largest sum of the reaches of a row and a column for which their entry is exact. */
  readonly widest: number;
  /** The anchors of rows and columns. The anchor of an entry is the product of its row's and its column's. */
  readonly rowAnchor: Float64Array;
  readonly colAnchor: Float64Array;
}

/** A reach that exceeds every window. */
const TOO_WIDE = 2 ** 20;
/** Within these exponents no anchor overflows, and no product or part of it underflows. */
const HIGHEST_TOP = 400;
const LOWEST_GRID = -440;

/** Returns the window of operands whose products are exact in a double. */
export function anchorWindow({ shape: { k }, rows, cols }: ExactOperands): AnchorWindow {
  const bits = k <= 1 ? 0 : 32 - Math.clz32(k - 1);
  return {
    rowReach: reaches(rows),
    colReach: reaches(cols),
    widest: 102 - 2 * bits,
    rowAnchor: anchors(rows, 1.5 * 2 ** (4 + bits)),
    colAnchor: anchors(cols, 1),
  };
}

/** Returns the reaches of lines. Lines of zeros count as lines of ones, which fit any window. */
function reaches({ top, grid, finite }: ExponentProfile): Int32Array {
  return top.map((high, line) => {
    if (finite[line] === 0 || high > HIGHEST_TOP) return TOO_WIDE;
    if (high < grid[line]) return 0;
    return grid[line] < LOWEST_GRID ? TOO_WIDE : high - grid[line];
  });
}

function anchors({ top, grid }: ExponentProfile, factor: number): Float64Array {
  return mapNumbers(top, (high, line) => factor * (high < grid[line] ? 1 : 2 ** Math.min(high, HIGHEST_TOP)));
}

/** True if hi + lo from the anchors is exactly the inner product of row i and column j. */
export function fitsAnchors({ rowReach, colReach, widest }: AnchorWindow, i: number, j: number): boolean {
  return rowReach[i] + colReach[j] <= widest;
}
