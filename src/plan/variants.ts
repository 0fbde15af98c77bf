import type { Algorithm } from '../algorithms/algorithm.ts';

/** How many blocks a product reads in each factor, and how many it updates: W_A, W_B, W_C of the 2020 paper. */
export interface OperandCounts {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** The variants of the one-level primitive in the order in which Figure 6 numbers them. */
const ONE_LEVEL = ['2,2,2', '2,2,1', '1,2,2', '2,1,2'];

/** The counts of every product of a table. */
export function operandCounts({ u, v, w }: Algorithm): OperandCounts[] {
  const count = (row: readonly number[]) => row.filter((c) => c !== 0).length;
  return u.map((row, r) => ({ a: count(row), b: count(v[r]), c: count(w[r]) }));
}

/**
 * The variants of an algorithm's products, in the order of their numbers: one kernel serves all products of a variant.
 * First the one with most blocks everywhere, then those with fewer in A, in B, in C, in A and B, A and C, B and C, each
 * from few to many. That numbers the ten variants of two-level Strassen as Figure 6 of Huang, Yu, van de Geijn 2020; its
 * four of one level have an order of their own.
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

/** The number of the variant of each product of a table. */
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
