import type { Algorithm } from '../algorithms/algorithm.ts';
import { variantNumbers } from './variants.ts';

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
