import type { Case } from '../problem/case.ts';

/** Cases, and products of two entries, that are executed together at most. */
const TOGETHER = { cases: 48, products: 2 ** 23 };

/** Cases in their order, cut into lists that are executed together. */
export function batchesOf(cases: readonly Case[]): Case[][] {
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
