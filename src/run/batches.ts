import type { Case } from '../problem/case.ts';

/** Upper limits of one batch: cases, and products of two entries. */
const TOGETHER = { cases: 48, products: 2 ** 23 };

/** Cuts cases, in their order, into lists that are executed together. */
export function groupIntoBatches(cases: readonly Case[]): Case[][] {
  const batches: Case[][] = [];
  let [batch, products]: [Case[], number] = [[], 0];
  for (const value of cases) {
    const { m, k, n } = value.problem;
    const own = m * k * n;
    if (batch.length === TOGETHER.cases || (batch.length > 0 && products + own > TOGETHER.products)) {
      batches.push(batch);
      [batch, products] = [[], 0];
    }
    batch.push(value);
    products += own;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
