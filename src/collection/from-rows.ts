import { coefficientFraction } from '../algorithms/coefficient.ts';
import type { BilinearTable } from '../algorithms/symmetries.ts';
import type { CollectionTable, ExactTerm } from './collected.ts';
import { makeSurd } from './surd.ts';

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
