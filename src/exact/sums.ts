/** What sums the products of a block of the result, before each entry is rounded and certified. */

import type { AnchorWindow } from './anchor-window.ts';

/** Rows i0 ≤ i < i1 and columns j0 ≤ j < j1 of a product. */
export interface Block {
  readonly i0: number;
  readonly i1: number;
  readonly j0: number;
  readonly j1: number;
}

/** The sums of a block; overwritten by the next block. */
export type Sums = PairSums | ExactSums;

/** Sums in two doubles, at (i − i0)·stride + (j − j0). */
export interface PairSums {
  readonly stride: number;
  /** hi + lo, unevaluated, is the sum. */
  readonly hi: Float64Array;
  readonly lo: Float64Array;
  /** The sum of the magnitudes of the rounded products; without meaning where there is a `window`. */
  readonly magnitude: Float64Array;
  /**
   * Where they were summed from anchors: hi + lo is the inner product itself where the window takes the entry, and
   * without meaning elsewhere.
   */
  readonly window: AnchorWindow | undefined;
}

/** Sums without error, of more bits than two doubles hold. */
export interface ExactSums {
  /**
   * Writes row i of the block, rounded as {@link ExactProduct} says, from `at` on.
   * @returns whether a tie may be among them.
   */
  write(i: number, value: Float64Array, low: Float64Array, at: number): boolean;
}

/** Sums blocks of one product. It keeps scratch, so it serves one caller at a time. */
export interface BlockSummer<S extends Sums = Sums> {
  /** The largest blocks it takes. */
  readonly rows: number;
  readonly cols: number;
  sum(block: Block): S;
}
