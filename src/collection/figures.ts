import type { Algorithm, CoefficientRows } from '../algorithms/algorithm.ts';
import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import type { BilinearTable } from '../algorithms/bilinear-table.ts';
import { coefficientFraction } from '../algorithms/coefficient.ts';
import { toCoefficientRows } from './as-algorithm.ts';
import { type CollectionTable, type ExactTerm, makeSurd } from './collected.ts';

/** Numbers that follow from a table alone, and that papers print. */
export interface TableNumbers {
  /** Number of block products. */
  readonly rank: number;
  /** Σ_r ‖u_r‖₂·‖v_r‖₂·‖w_r‖₂, the growth factor of Dumas, Pernet, Sedoglavic 2024. */
  readonly norms: number;
  /**
   * Logarithm of max over blocks of C of Σ_r |w|·‖u_r‖₂·‖v_r‖₂ to the base k of the inner dimension: the exponent of a bound of the largest
   * error by the Euclidean norms of the operands (Dumas, Pernet, Sedoglavic 2025, Table 1). Not finite where k is 1.
   */
  readonly outputExponent: number;
  /** Number of nonzero coefficients. */
  readonly nonzeros: number;
}

/** Computes the numbers of a table. Norms of √3 are those of its double. */
export function numbersOf(table: CollectionTable): TableNumbers {
  const { u, v, w } = toCoefficientRows(table);
  return {
    rank: u.length,
    norms: u.reduce((sum, row, r) => sum + norm2(row) * norm2(v[r]) * norm2(w[r]), 0),
    outputExponent: Math.log(largestOutput({ u, v, w })) / Math.log(table.base.k),
    nonzeros: [u, v, w].flat().reduce((sum, row) => sum + termsOf(row), 0),
  };
}

const largestOutput = ({ u, v, w }: Pick<Algorithm, 'u' | 'v' | 'w'>): number =>
  Math.max(
    ...columnsOfRows(w).map((sum) =>
      sum.reduce((all, factor, r) => all + Math.abs(factor) * norm2(u[r]) * norm2(v[r]), 0),
    ),
  );

/** Returns the number of terms of a sum. */
export const termsOf = (row: readonly number[]): number => row.filter((factor) => factor !== 0).length;
const norm2 = (row: readonly number[]): number => Math.hypot(...row);

/** The built-in algorithms, as tables of the collection. Strassen's has a file as well. */
export const ours: readonly CollectionTable[] = algorithmRegistry.items
  .filter((one) => !isOfComplex(one))
  .map((algorithm) =>
    makeCollectionTable(
      {
        name: algorithm.name,
        title: algorithm.title,
        origin: algorithm.name === 'classical' ? 'classical' : 'published',
        source: algorithm.source ?? '',
        licence: 'MIT',
      },
      algorithm,
    ),
  );

/** Makes a table of the collection from rows of coefficients. */
export function makeCollectionTable(
  about: Pick<CollectionTable, 'name' | 'title' | 'origin' | 'source' | 'licence'>,
  { base, u, v, w }: BilinearTable,
): CollectionTable {
  const terms = (row: readonly number[]): ExactTerm[] =>
    row.flatMap((value, at) => (value === 0 ? [] : [{ factor: makeSurd(coefficientFraction(value)), at }]));
  const products = u.map((row, r) => ({ u: terms(row), v: terms(v[r]), w: terms(w[r]) }));
  return { ...about, base, products };
}

/** Transposes rows: block c of C is the sum of products r with factors `w[r][c]`. */
export const columnsOfRows = (rows: CoefficientRows): number[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
