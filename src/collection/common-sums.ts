import type { CoefficientRows } from '../algorithms/algorithm.ts';

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

/** Transposes rows: block c of C is the sum of products r with factors `w[r][c]`. */
export const columnsOfRows = (rows: CoefficientRows): number[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
