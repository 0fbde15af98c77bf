/**
 * A bilinear ⟨m,k,n;R⟩ matrix multiplication algorithm: R products of block sums replace the m·k·n products
 * of the classical one. Row r of `u`, `v` and `w` belongs to the r-th product:
 *
 *     M_r = (Σ u[r][·] A_·) (Σ v[r][·] B_·),   C_· = Σ_r w[r][·] M_r
 *
 * Columns are blocks in row-major order: A11, A12, …; coefficients are exact small integers.
 */
export interface Algorithm {
  readonly name: string;
  /** What a person calls it. */
  readonly title: string;
  /** Paper and figure or equation the data come from. */
  readonly source: string;
  /** How many blocks each dimension is split into at a level. */
  readonly base: { readonly m: number; readonly k: number; readonly n: number };
  readonly u: readonly (readonly number[])[];
  readonly v: readonly (readonly number[])[];
  readonly w: readonly (readonly number[])[];
  /**
   * The order of steps, as kernel launches: each group is one launch, its lines computed in order, one
   * rounding a line. A line is `T = X * Y` (only first in a group) or a sum of one or two signed blocks.
   * Blocks of C serve as scratch before they receive their result. Without a schedule one is derived from
   * the table ({@link scheduleFromTable}).
   */
  readonly schedule?: readonly (readonly string[])[];
}

/** The number of block products R. */
export function rank(algorithm: Algorithm): number {
  return algorithm.u.length;
}
