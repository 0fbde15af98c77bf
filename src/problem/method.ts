/** How sizes that the levels do not divide are served: zeros around the operands, or dynamic peeling. */
export type Fringe = 'pad' | 'peel';
export const fringes: readonly Fringe[] = ['pad', 'peel'];

/** How a leaf kernel serves blocks its tile does not divide: bounds checks, or blocks stored padded to the tile. */
export type Tail = 'mask' | 'pad';
export const tails: readonly Tail[] = ['mask', 'pad'];

/** How a kernel of ours computes a product. */
export interface Method {
  /** Levels of recursion. */
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
}

/**
 * How much one level of a bilinear algorithm can grow whole numbers, from its table (U, V, W). With p_r = Σ|U_r|·Σ|V_r|,
 * the largest factor by which product r can exceed the plain product of two blocks:
 */
export interface LevelGrowth {
  /** max over r of p_r: 9 for Winograd's variant. */
  readonly product: number;
  /**
   * Σ over r of p_r, times the largest factor of product r in C: whatever signed part of the R products a schedule has in
   * one block, it is no larger. 27 for Winograd's variant.
   */
  readonly total: number;
  /** The largest Σ|U_r| or Σ|V_r|: how much a sum of blocks of one operand can exceed them. */
  readonly operand: number;
  /** Into how many parts a level cuts the inner dimension. */
  readonly split: number;
  /** True if the table has fractions such as 1/3, which round whole numbers: then none of levels are exact. */
  readonly rounds?: boolean | undefined;
}
