import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { matrix } from '../matrix/dense.ts';
import { givenJob } from './given-product.ts';
import { weighLarge } from './large.ts';
import { answersOf } from './result-of.ts';

const [m, k, n] = [500, 32, 400];
const random = createRandom(9, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform01() - 0.5),
  );

/** Judges products of a batch, each with one entry that is off. */
async function judged(batch: number, off: (p: number) => readonly [row: number, col: number, by: number]) {
  const [a, b] = [drawn(batch * m, k), drawn(batch * k, n)];
  const d = matrix(batch * m, n, new Float32Array(batch * m * n));
  for (let p = 0; p < batch; p++) {
    const take = (x: typeof a, rows: number) =>
      matrix(rows, x.cols, x.data.slice(p * rows * x.cols, (p + 1) * rows * x.cols));
    d.data.set(exactProduct(take(a, m), take(b, k)).product.data, p * m * n);
    const [row, col, by] = off(p);
    d.data[(p * m + row) * n + col] += by;
  }
  const job = givenJob({ a, b, d, batch }, builtinCaseItems);
  const evidence = weighLarge(job, [{ c: d, unwritten: 0, overwritten: 0 }]);
  const answers = await answersOf(evidence, { sigmas: 6, drift: Number.POSITIVE_INFINITY });
  return { evidence, failed: answers.filter(({ status }) => status === 'fail').map(({ name }) => name) };
}

it('compares a wrong entry that is far below what sums of a row may be off by', async () => {
  for (const [row, col] of [
    [0, 0],
    [77, 311],
    [m - 1, n - 1],
    [250, 13],
  ] as const) {
    const { evidence, failed } = await judged(1, () => [row, col, 2 ** -15]);
    expect(evidence.projection?.rows.blocks).toBeLessThan(n);
    expect(evidence.projection?.crossed).toBeLessThan(2 ** -15);
    expect(failed).toContain('running-bound');
  }
});

it('compares one of each product of a batch', async () => {
  const { failed, evidence } = await judged(2, (p) => [100 + p, 200 + p, p * 2 ** -15]);
  const wrong = (m + 101) * n + 201;
  expect([...(evidence.reference.at ?? [])]).toContain(wrong);
  expect(failed).toContain('running-bound');
});

it('passes a right product, and says which entry is compared', async () => {
  const { failed, evidence } = await judged(1, () => [0, 0, 0]);
  expect(failed).toEqual([]);
  expect(evidence.projection?.crossed).toBeGreaterThan(0);
});
