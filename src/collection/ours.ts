import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import { coefficientFraction } from '../algorithms/coefficient.ts';
import type { BilinearTable } from '../algorithms/symmetries.ts';
import type { CollectionTable, ExactTerm } from './collected.ts';
import { makeSurd } from './surd.ts';

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
