import type { Algorithm } from '../algorithms/algorithm.ts';
import { growthFactor } from '../algorithms/stability.ts';
import { isDyadicTable, toCoefficientRows } from './as-algorithm.ts';
import { type CollectionTable, classicalRank } from './collected.ts';
import { columnsOfRows, plainAdditions, sharedAdditions } from './common-sums.ts';

/** Costs that follow from a table alone. */
export interface TableFigures {
  /** Number of block products. */
  readonly rank: number;
  /** ω₀ = 3·log R / log(mkn): the exponent of a recursion that uses all three orientations in turn. */
  readonly exponent: number;
  /** E = max over blocks of C of Σ_r |w|·Σ|u|·Σ|v|: the factor by which each level multiplies the error bound. */
  readonly growth: number;
  /**
   * Q = max over blocks c of C of γ_c + max_r (α_r + β_r), r with w[r][c] ≠ 0 and α, β, γ the numbers of terms of the sums of A, of B and
   * of C: roundings of a level (Ballard, Benson, Druinsky, Lipshitz, Schwartz 2016; as the authors' program computes it,
   * arbenson/fast-matmul, codegen/stability_quantities.py).
   */
  readonly prefactor: number;
  /**
   * 3·log E / log(mkn): the exponent of the bound's growth with n, comparable between tables of different bases. Classical blocks have 1.
   */
  readonly errorExponent: number;
  /** Σ_r ‖u_r‖₂·‖v_r‖₂·‖w_r‖₂, the growth factor of Dumas, Pernet, Sedoglavic 2024. */
  readonly norms: number;
  /**
   * Logarithm of max over blocks of C of Σ_r |w|·‖u_r‖₂·‖v_r‖₂ to the base k of the inner dimension: the exponent of a bound of the largest
   * error by the Euclidean norms of the operands (Dumas, Pernet, Sedoglavic 2025, Table 1). Not finite where k is 1.
   */
  readonly outputExponent: number;
  /** Number of nonzero coefficients. */
  readonly nonzeros: number;
  /** Number of block additions of a level, none shared. */
  readonly additions: number;
  /** Number of block additions with common sums computed once. */
  readonly sharedAdditions: number;
  readonly isDyadic: boolean;
}

/** Computes the figures of a table. Norms of √3 are those of its double. */
export function figuresOf(table: CollectionTable): TableFigures {
  const rows = toCoefficientRows(table);
  const { u, v, w } = rows;
  const perLevel = Math.log(classicalRank(table));
  const growth = growthFactor({ base: table.base, ...rows });
  const sums = columnsOfRows(w);
  return {
    rank: u.length,
    exponent: (3 * Math.log(u.length)) / perLevel,
    growth,
    prefactor: prefactorOf(rows),
    errorExponent: (3 * Math.log(growth)) / perLevel,
    norms: u.reduce((sum, row, r) => sum + norm2(row) * norm2(v[r]) * norm2(w[r]), 0),
    outputExponent: Math.log(largestOutput(rows)) / Math.log(table.base.k),
    nonzeros: [u, v, w].flat().reduce((sum, row) => sum + terms(row), 0),
    additions: plainAdditions(u) + plainAdditions(v) + plainAdditions(sums),
    sharedAdditions: sharedAdditions(u) + sharedAdditions(v) + sharedAdditions(sums),
    isDyadic: isDyadicTable(table),
  };
}

const largestOutput = ({ u, v, w }: Pick<Algorithm, 'u' | 'v' | 'w'>): number =>
  Math.max(
    ...columnsOfRows(w).map((sum) =>
      sum.reduce((all, factor, r) => all + Math.abs(factor) * norm2(u[r]) * norm2(v[r]), 0),
    ),
  );

function prefactorOf({ u, v, w }: Pick<Algorithm, 'u' | 'v' | 'w'>): number {
  const factors = u.map((row, r) => terms(row) + terms(v[r]));
  return Math.max(
    ...columnsOfRows(w).map((sum) => terms(sum) + Math.max(0, ...factors.filter((_, r) => sum[r] !== 0))),
  );
}

const terms = (row: readonly number[]): number => row.filter((factor) => factor !== 0).length;
const norm2 = (row: readonly number[]): number => Math.hypot(...row);
