import type { Algorithm } from '../algorithms/algorithm.ts';
import { isDyadic, isSmall } from '../algorithms/coefficient.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { badAlgorithm } from '../algorithms/messages.ts';
import { type CollectionTable, classicalRank, type ExactTerm, type Surd, surdValue } from './collected.ts';

const parts = ['u', 'v', 'w'] as const;

/** Returns rows of coefficients as numbers: exact where they are dyadic, else the nearest doubles. */
export function toCoefficientRows({
  base: { m, k, n },
  products,
}: Pick<CollectionTable, 'base' | 'products'>) {
  const columns = { u: m * k, v: k * n, w: m * n };
  const row = (terms: readonly ExactTerm[], length: number) => {
    const full = new Array<number>(length).fill(0);
    for (const { factor, at } of terms) full[at] = surdValue(factor);
    return full;
  };
  const rows = (part: (typeof parts)[number]) => products.map((product) => row(product[part], columns[part]));
  return { u: rows('u'), v: rows('v'), w: rows('w') };
}

/** True if all coefficients are dyadic numbers that every format holds. */
export const isDyadicTable = (table: Pick<CollectionTable, 'products'>): boolean =>
  factorsOf(table).every((factor) => isHeld(factor) && hasPowerOfTwo(factor));

/** True if kernels can compute with a table: its coefficients are dyadic, or small fractions. */
export const isRunnable = (table: Pick<CollectionTable, 'products'>): boolean =>
  factorsOf(table).every(isHeld);

const factorsOf = ({ products }: Pick<CollectionTable, 'products'>): Surd[] =>
  products.flatMap((product) => parts.flatMap((part) => product[part].map(({ factor }) => factor)));

const hasPowerOfTwo = ({ a: { den } }: Surd): boolean => (den & (den - 1n)) === 0n;

const isHeld = (factor: Surd): boolean =>
  factor.b.num === 0n && (hasPowerOfTwo(factor) ? isDyadic(surdValue(factor)) : isSmall(factor.a));

/**
 * Converts a table to an algorithm for kernels, plans and readers.
 * @throws ParanoiaError `bad-algorithm` for factors that are neither dyadic nor small fractions, or a table that does not multiply
 * matrices.
 */
export function asAlgorithm(table: CollectionTable): Algorithm {
  const { name, title, source, base, products } = table;
  const bad = factorsOf(table).find((factor) => !isHeld(factor));
  if (bad !== undefined) {
    const why = `its factor ${surdValue(bad)} is neither dyadic nor a fraction p/q with |p| and q below 2048. Kernels cannot use this table; the catalog still lists its costs`;
    throw badAlgorithm({ name, why });
  }
  const what = `${products.length} block products instead of ${classicalRank(table)}, of ${base.m}×${base.k} by ${base.k}×${base.n} blocks`;
  return defineAlgorithm({ name, title, what, source, base, ...toCoefficientRows(table) });
}
