/** The treatment of sizes that the levels do not divide: zeros around the operands, or dynamic peeling. */
export type Fringe = 'pad' | 'peel';
export const fringes: readonly Fringe[] = ['pad', 'peel'];

/** The treatment of blocks that the tile of a leaf kernel does not divide: bounds checks, or blocks stored padded to the tile. */
export type Tail = 'mask' | 'pad';
export const tails: readonly Tail[] = ['mask', 'pad'];

/** The method by which one of our kernels computes a product. */
export interface Method {
  /** Levels of recursion. */
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
}

/**
 * The growth of whole numbers by one level of a bilinear algorithm, from its table (U, V, W). p_r = Σ|U_r|·Σ|V_r| is the largest factor by
 * which product r can exceed the plain product of two blocks.
 */
export interface LevelGrowth {
  /** max over r of p_r: 9 for Winograd's variant. */
  readonly product: number;
  /**
   * Σ over r of p_r, times the largest factor of product r in C. No signed part of the R products that a schedule has in one block is
   * larger. 27 for Winograd's variant.
   */
  readonly total: number;
  /** The largest Σ|U_r| or Σ|V_r|: the factor by which a sum of blocks of one operand can exceed them. */
  readonly operand: number;
  /** Number of parts into which a level splits the inner dimension. */
  readonly split: number;
  /** True if the table has fractions such as 1/3, which round whole numbers. No level is then exact. */
  readonly rounds?: boolean | undefined;
}
