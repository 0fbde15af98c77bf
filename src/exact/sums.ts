/** Summers of the products of a block of the result, before each entry is rounded and certified. */

/** Rows i0 ≤ i < i1 and columns j0 ≤ j < j1 of a matrix. */
export interface ResultBlock {
  readonly i0: number;
  readonly i1: number;
  readonly j0: number;
  readonly j1: number;
}

/** The sums of a block; overwritten by the next block. */
export type BlockSums = PairSums | ExactSums;

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
  /** The reach of each row of A and column of B; a large number for lines that are not finite or near the ends of the exponents. */
  readonly rowReach: Int32Array;
  readonly colReach: Int32Array;
  /** The largest sum of the reaches of a row and a column for which their entry is exact. */
  readonly widest: number;
  /** The anchors of rows and columns. The anchor of an entry is the product of its row's and its column's. */
  readonly rowAnchor: Float64Array;
  readonly colAnchor: Float64Array;
}

/** Sums in two doubles, at (i − i0)·stride + (j − j0). */
export interface PairSums {
  readonly stride: number;
  /** The parts of each sum, hi + lo, unevaluated. */
  readonly hi: Float64Array;
  readonly lo: Float64Array;
  /** The sum of the magnitudes of the rounded products; meaningless if there is a `window`. */
  readonly magnitude: Float64Array;
  /**
   * The window, if the sums are from anchors. If an entry fits it, hi + lo is exactly the inner product; otherwise hi + lo is
   * meaningless.
   */
  readonly window: AnchorWindow | undefined;
}

/** Sums without error, of more bits than two doubles hold. */
export interface ExactSums {
  /**
   * Writes row i of the block, rounded as in {@link ExactProduct}, from `at` on.
   * @returns true if a tie may be among them.
   */
  write(i: number, value: Float64Array, low: Float64Array, at: number): boolean;
}

/** Sums blocks of one product. It keeps scratch memory, so it serves one caller at a time. */
export interface BlockSummer<S extends BlockSums = BlockSums> {
  /** The largest blocks that it sums. */
  readonly rows: number;
  readonly cols: number;
  sum(block: ResultBlock): S;
}
