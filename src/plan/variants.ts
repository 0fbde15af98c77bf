import type { Algorithm } from '../algorithms/algorithm.ts';

/** Number of blocks that a product reads in each factor and updates: W_A, W_B, W_C of the 2020 paper. */
export interface OperandCounts {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** The variants of the one-level primitive, in the order of Figure 6. */
const ONE_LEVEL = ['2,2,2', '2,2,1', '1,2,2', '2,1,2'];

/** Returns the counts of every product of a table. */
export function operandCounts({ u, v, w }: Algorithm): OperandCounts[] {
  const count = (row: readonly number[]) => row.filter((c) => c !== 0).length;
  return u.map((row, r) => ({ a: count(row), b: count(v[r]), c: count(w[r]) }));
}

/**
 * Returns the variants of an algorithm's products, in the order of their numbers. One kernel serves all products of a variant. First comes
 * the variant with most blocks everywhere, then those with fewer in A, in B, in C, in A and B, A and C, B and C, each from few to many.
 * This numbers the ten variants of two-level Strassen as Figure 6 of Huang, Yu, van de Geijn 2020 does. Its four variants of one level have
 * an order of their own.
 */
export function variantsOf(algorithm: Algorithm): OperandCounts[] {
  const distinct = new Map(operandCounts(algorithm).map((counts) => [key(counts), counts]));
  const all = [...distinct.values()];
  if (all.length === ONE_LEVEL.length && ONE_LEVEL.every((one) => distinct.has(one))) {
    return ONE_LEVEL.map((one) => distinct.get(one) as OperandCounts);
  }
  const most = [0, 1, 2].map((at) => Math.max(...all.map((counts) => list(counts)[at])));
  const fewer = (counts: OperandCounts) => [0, 1, 2].filter((at) => list(counts)[at] < most[at]);
  const rank = (counts: OperandCounts) => [fewer(counts).length, ...fewer(counts), ...list(counts)];
  return all.sort((x, y) => compare(rank(x), rank(y)));
}

/** Returns the number of the variant of each product of a table. */
export function variantNumbers(algorithm: Algorithm): number[] {
  const order = variantsOf(algorithm).map(key);
  return operandCounts(algorithm).map((counts) => order.indexOf(key(counts)));
}

const list = ({ a, b, c }: OperandCounts): number[] => [a, b, c];
const key = (counts: OperandCounts): string => list(counts).join();

function compare(x: readonly number[], y: readonly number[]): number {
  const at = x.findIndex((value, i) => value !== y[i]);
  return at < 0 ? 0 : x[at] - y[at];
}

/**
 * Groups the products of a table into batches that may run at once, one dispatch each. The products of a batch have one variant, since they
 * share a kernel, and, unless additions are atomic, no block of C in common. Each product joins the first batch that it fits, so the order
 * of batches is that of their first products. For Strassen's seven products these are the stages of Figure 7 of Huang, Yu, van de Geijn
 * 2020: M1; M2 and M5; M3 and M4; M6 and M7 (there from 0 on, and in another order).
 * @returns rows of the table.
 */
export function batchesOf(algorithm: Algorithm, ordered: boolean): number[][] {
  const variants = variantNumbers(algorithm);
  const targets = algorithm.w.map((row) => new Set(row.flatMap((c, at) => (c === 0 ? [] : [at]))));
  const batches: number[][] = [];
  for (const [r, variant] of variants.entries()) {
    const fits = (batch: readonly number[]) =>
      variants[batch[0]] === variant &&
      (!ordered || batch.every((other) => [...targets[r]].every((at) => !targets[other].has(at))));
    const found = batches.find(fits);
    if (found === undefined) batches.push([r]);
    else found.push(r);
  }
  return batches;
}
