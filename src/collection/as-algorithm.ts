import type { Algorithm } from '../algorithms/algorithm.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { isDyadic } from '../algorithms/dyadic.ts';
import { badAlgorithm } from '../algorithms/messages.ts';
import { type Collected, classicalRank, type ExactTerm } from './collected.ts';
import { surdValue } from './surd.ts';

const parts = ['u', 'v', 'w'] as const;

/** Rows of coefficients as numbers: exact where they are dyadic. */
export function rowsOf({ base: { m, k, n }, products }: Pick<Collected, 'base' | 'products'>) {
  const columns = { u: m * k, v: k * n, w: m * n };
  const row = (terms: readonly ExactTerm[], length: number) => {
    const full = new Array<number>(length).fill(0);
    for (const { factor, at } of terms) full[at] = surdValue(factor);
    return full;
  };
  const rows = (part: (typeof parts)[number]) => products.map((product) => row(product[part], columns[part]));
  return { u: rows('u'), v: rows('v'), w: rows('w') };
}

/** Whether all coefficients are dyadic numbers that every format holds, so that kernels of ours can compute by the table. */
export const isDyadicTable = (table: Pick<Collected, 'products'>): boolean => badFactor(table) === undefined;

function badFactor({ products }: Pick<Collected, 'products'>): number | undefined {
  for (const product of products)
    for (const part of parts)
      for (const { factor } of product[part]) {
        const value = surdValue(factor);
        const isPower = (factor.a.den & (factor.a.den - 1n)) === 0n;
        if (factor.b.num !== 0n || !isPower || !isDyadic(value)) return value;
      }
  return undefined;
}

/**
 * A table as what kernels, plans and readers compute by.
 * @throws ParanoiaError `bad-algorithm` for factors that are not dyadic, or a table that does not multiply matrices.
 */
export function asAlgorithm(table: Collected): Algorithm {
  const { name, title, source, base, products } = table;
  const bad = badFactor(table);
  if (bad !== undefined) {
    const why = `its factor ${bad} is no dyadic number, so that formats do not hold it: the catalogue tells what its table costs, and kernels cannot compute by it`;
    throw badAlgorithm({ name, why });
  }
  const what = `${products.length} block products in place of ${classicalRank(table)}, of ${base.m}×${base.k} by ${base.k}×${base.n} blocks`;
  return defineAlgorithm({ name, title, what, source, base, ...rowsOf(table) });
}
