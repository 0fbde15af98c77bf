import type { Algorithm, CoefficientRows } from '../../src/algorithms/algorithm.ts';
import { growthFactor } from '../../src/algorithms/growth.ts';
import { isDyadicTable, toCoefficientRows } from '../../src/collection/as-algorithm.ts';
import { type CollectionTable, classicalRank } from '../../src/collection/collected.ts';
import { columnsOfRows, numbersOf, type TableNumbers, termsOf } from '../../src/collection/figures.ts';

/** Costs that follow from a table alone. */
export interface TableFigures extends TableNumbers {
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
    ...numbersOf(table),
    exponent: (3 * Math.log(u.length)) / perLevel,
    growth,
    prefactor: prefactorOf(rows),
    errorExponent: (3 * Math.log(growth)) / perLevel,
    additions: plainAdditions(u) + plainAdditions(v) + plainAdditions(sums),
    sharedAdditions: sharedAdditions(u) + sharedAdditions(v) + sharedAdditions(sums),
    isDyadic: isDyadicTable(table),
  };
}

function prefactorOf({ u, v, w }: Pick<Algorithm, 'u' | 'v' | 'w'>): number {
  const factors = u.map((row, r) => termsOf(row) + termsOf(v[r]));
  return Math.max(
    ...columnsOfRows(w).map((sum) => termsOf(sum) + Math.max(0, ...factors.filter((_, r) => sum[r] !== 0))),
  );
}

/** A sum in progress: the factor of each remaining block or shared sum. */
type Sum = Map<number, number>;

/** Counts the additions of sums of blocks without sharing: for each row, one fewer than it has terms. */
export const plainAdditions = (rows: CoefficientRows): number =>
  rows.reduce((sum, row) => sum + Math.max(0, row.filter((factor) => factor !== 0).length - 1), 0);

/**
 * Counts the additions where sums that rows share are computed once. Repeatedly, the pair of terms that most rows have, up to a common
 * factor, becomes a term of its own, until no two rows share one (greedy elimination of pairs, Paar 1997; Benson and Ballard 2015, §3.3).
 * The result need not be minimal.
 */
export function sharedAdditions(rows: CoefficientRows): number {
  const sums: Sum[] = rows.map((row) => new Map([...row.entries()].filter(([, factor]) => factor !== 0)));
  let terms = rows[0]?.length ?? 0;
  let shared = 0;
  for (let pair = mostFrequent(sums); pair !== undefined; pair = mostFrequent(sums)) {
    for (const sum of sums) replace(sum, pair, terms);
    terms++;
    shared++;
  }
  return shared + sums.reduce((all, sum) => all + Math.max(0, sum.size - 1), 0);
}

/** Two terms, and the factor of the second over that of the first. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

/** Returns the pair that most sums have; the first of several. Undefined where no two sums share one. */
function mostFrequent(sums: readonly Sum[]): Pair | undefined {
  const counts = new Map<string, { pair: Pair; count: number }>();
  let best: { pair: Pair; count: number } | undefined;
  for (const sum of sums) {
    const terms = [...sum].sort(([one], [other]) => one - other);
    for (const [at, [first, p]] of terms.entries()) {
      for (const [second, q] of terms.slice(at + 1)) {
        const key = `${first} ${second} ${q / p}`;
        const known = counts.get(key) ?? { pair: { first, second, ratio: q / p }, count: 0 };
        known.count++;
        counts.set(key, known);
      }
    }
  }
  for (const one of counts.values()) if (one.count > (best?.count ?? 1)) best = one;
  return best?.pair;
}

function replace(sum: Sum, { first, second, ratio }: Pair, by: number): void {
  const [p, q] = [sum.get(first), sum.get(second)];
  if (p === undefined || q === undefined || q / p !== ratio) return;
  sum.delete(first);
  sum.delete(second);
  sum.set(by, p);
}
