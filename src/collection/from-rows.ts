import { exactly } from '../algorithms/coefficient.ts';
import type { Table } from '../algorithms/symmetries.ts';
import type { Collected, ExactTerm } from './collected.ts';
import { surd } from './surd.ts';

/** Makes a table of the collection from rows of coefficients. */
export function collectedFrom(
  about: Pick<Collected, 'name' | 'title' | 'origin' | 'source' | 'licence'>,
  { base, u, v, w }: Table,
): Collected {
  const terms = (row: readonly number[]): ExactTerm[] =>
    row.flatMap((value, at) => (value === 0 ? [] : [{ factor: surd(exactly(value)), at }]));
  const products = u.map((row, r) => ({ u: terms(row), v: terms(v[r]), w: terms(w[r]) }));
  return { ...about, base, products };
}
