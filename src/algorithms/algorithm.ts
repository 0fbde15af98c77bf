import type { Item } from '../base/registry.ts';

/** Numbers of rows and columns of blocks into which each dimension of a product is split, or sizes: m×k by k×n. */
export interface BlockGrid {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** Coefficients with one row for each product and one column for each block, row by row of its grid. */
export type CoefficientRows = readonly (readonly number[])[];

/**
 * A bilinear ⟨m,k,n;R⟩ matrix multiplication algorithm: R products of block sums replace the m·k·n products
 * of the classical one. Row r of `u`, `v` and `w` belongs to the r-th product:
 *
 *     M_r = (Σ u[r][·] A_·) (Σ v[r][·] B_·),   C_· = Σ_r w[r][·] M_r
 *
 * Columns are blocks in row-major order: A11, A12, …. Coefficients are dyadic rationals p·2^q, which are exact numbers, or other fractions
 * such as 1/3, represented by the nearest double. Plans and kernels round these to the accumulation format.
 */
export interface Algorithm extends Item {
  readonly name: string;
  /** Title for human readers. */
  readonly title: string;
  /** One clause on its savings and their price. */
  readonly what: string;
  /** Paper and figure or equation of the data. */
  readonly source: string;
  /**
   * Required form of A: `complex`, a real matrix [[Ar, −Ai], [Ai, Ar]] that stands for a complex one. Its blocks lack that form, so the
   * algorithm has only one level.
   * @defaultValue any matrix
   */
  readonly operands?: 'complex' | undefined;
  /** Number of blocks into which a level splits each dimension. */
  readonly base: BlockGrid;
  readonly u: CoefficientRows;
  readonly v: CoefficientRows;
  readonly w: CoefficientRows;
  /**
   * The order of steps, as kernel launches. Each group is one launch, and its lines are computed in order. A line is `T = X * Y` (only
   * first in a group) or a sum of blocks with factors, `T = 2*A12 - 1/3*A21`, added from left to right with one rounding for each addition.
   * Blocks of C serve as scratch before they receive their result. @defaultValue a schedule derived from the table
   */
  readonly schedule?: readonly (readonly string[])[];
  /**
   * The c of the closed form [g^L·(n₀² + c·n₀) − c·n]·u of the normwise error of n×n×n products with n = bᴸ·n₀, where a
   * theorem gives one (Higham, *Accuracy and Stability of Numerical Algorithms*, §23.2.2).
   */
  readonly closedForm?: number;
}

/** Returns the number of block products R. */
export function rank(algorithm: Pick<Algorithm, 'u'>): number {
  return algorithm.u.length;
}

/** Returns the number of levels of an algorithm that take at most `products` products. */
export function countLevelsWithin(algorithm: Pick<Algorithm, 'u'>, products: number): number {
  let levels = 0;
  while (rank(algorithm) ** (levels + 1) <= products) levels++;
  return levels;
}

/** The position of a block in its matrix, counted from 0. */
export interface BlockPosition {
  readonly row: number;
  readonly col: number;
}

/** Formats a block as listings write it, row and column counted from 1: `A12`; `A3,11` where one has two digits. */
export function blockName(matrix: string, row: number, col: number): string {
  return `${matrix}${row + 1}${row > 8 || col > 8 ? ',' : ''}${col + 1}`;
}

/** Reads the name of a block. Undefined for the name of a temporary, such as `T1`. */
export function parseBlockName(
  name: string,
): (BlockPosition & { readonly matrix: 'A' | 'B' | 'C' }) | undefined {
  const found = /^([ABC])(?:(\d)(\d)|(\d+),(\d+))$/.exec(name);
  if (found === null) return undefined;
  const [row, col] = [Number(found[2] ?? found[4]) - 1, Number(found[3] ?? found[5]) - 1];
  return { matrix: found[1] as 'A' | 'B' | 'C', row, col };
}
