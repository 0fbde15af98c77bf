/** Summers of the products of a block of the result, before each entry is rounded and certified. */

import type { AnchorWindow } from './anchor-window.ts';

/** Rows i0 ≤ i < i1 and columns j0 ≤ j < j1 of a product. */
export interface ResultBlock {
  readonly i0: number;
  readonly i1: number;
  readonly j0: number;
  readonly j1: number;
}

/** The sums of a block; overwritten by the next block. */
export type BlockSums = PairSums | ExactSums;

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
