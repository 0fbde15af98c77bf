import type { Item } from '../base/registry.ts';

/** Rows and columns of blocks that each dimension of a product is split into, or sizes: m×k by k×n. */
export interface Grid {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** One row a product, one column a block, row by row of its grid. */
export type Rows = readonly (readonly number[])[];

/**
 * A bilinear ⟨m,k,n;R⟩ matrix multiplication algorithm: R products of block sums replace the m·k·n products
 * of the classical one. Row r of `u`, `v` and `w` belongs to the r-th product:
 *
 *     M_r = (Σ u[r][·] A_·) (Σ v[r][·] B_·),   C_· = Σ_r w[r][·] M_r
 *
 * Columns are blocks in row-major order: A11, A12, …; coefficients are dyadic rationals p·2^q, which are exact numbers, or other fractions such
 * as 1/3, for which the nearest double stands: plans and kernels round these to the format of sums.
 */
export interface Algorithm extends Item {
  readonly name: string;
  /** What a person calls it. */
  readonly title: string;
  /** One clause: what it saves, and at what price. */
  readonly what: string;
  /** Paper and figure or equation the data come from. */
  readonly source: string;
  /**
   * What A must be for the table to multiply: `complex`, a real matrix [[Ar, −Ai], [Ai, Ar]] that stands for a complex one. Its blocks
   * are not of that form, so that it has one level.
   * @defaultValue any matrix
   */
  readonly operands?: 'complex' | undefined;
  /** How many blocks each dimension is split into at a level. */
  readonly base: Grid;
  readonly u: Rows;
  readonly v: Rows;
  readonly w: Rows;
  /**
   * The order of steps, as kernel launches: each group is one launch, its lines computed in order. A line is
   * `T = X * Y` (only first in a group) or a sum of blocks with such factors, `T = 2*A12 - 1/3*A21`, added from left to
   * right with one rounding an addition. Blocks of C serve as scratch before they receive their result. Without a
   * schedule one is derived from the table.
   */
  readonly schedule?: readonly (readonly string[])[];
  /**
   * The c of the closed form [g^L·(n₀² + c·n₀) − c·n]·u of the normwise error of n×n×n products with n = bᴸ·n₀, where a
   * theorem gives it (Higham, *Accuracy and Stability of Numerical Algorithms*, §23.2.2).
   */
  readonly closedForm?: number;
}

/** The number of block products R. */
export function rank(algorithm: Pick<Algorithm, 'u'>): number {
  return algorithm.u.length;
}

/** How many levels of an algorithm take at most so many products. */
export function levelsWithin(algorithm: Pick<Algorithm, 'u'>, products: number): number {
  let levels = 0;
  while (rank(algorithm) ** (levels + 1) <= products) levels++;
  return levels;
}
