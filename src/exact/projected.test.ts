import { expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import { goldProduct } from './gold.ts';
import { projectedErrors, projectionSlack, randomSigns } from './projected.ts';

const [m, k, n, vectors, width] = [5, 7, 12, 3, 4];

/** Draws entries of distant exponents, whose sums round in doubles. */
function drawn(rows: number, cols: number, stream: number) {
  const random = createRandom(6, stream);
  const entry = () => random.uniform(-1, 1) * 2 ** random.int(-60, 60);
  return matrix(rows, cols, Float64Array.from({ length: rows * cols }, entry));
}

it.each(
  inShort(
    [
      [1, 0],
      [-3, 0],
      [1 / 3, 1.7],
      [0, 1],
    ],
    3,
  ),
)('sums of errors for alpha %s and beta %s are those of decimal arithmetic', (alpha, beta) => {
  const [a, b, c, computed] = [drawn(m, k, 1), drawn(k, n, 2), drawn(m, n, 3), drawn(m, n, 4)];
  const signs = randomSigns(n, vectors, 5);
  const found = projectedErrors({ computed, a, b, c, alpha, beta }, { signs, width });
  // D̂x − alpha·A(Bx) − beta·Cx as one product of exact factors: every term on its own.
  for (let i = 0; i < m; i++) {
    for (let block = 0; block < n / width; block++) {
      const sums = Array.from({ length: vectors }, (_, v) => {
        const [left, right]: [number[], number[]] = [[], []];
        for (let j = block * width; j < (block + 1) * width; j++) {
          const x = signs.data[j * vectors + v];
          left.push(x, -beta * x);
          right.push(computed.data[i * n + j], c.data[i * n + j]);
          for (let p = 0; p < k; p++) {
            // alpha·a as two doubles of 26 bits each.
            const [high, low] = halves(b.data[p * n + j]);
            for (const part of [high, low]) {
              for (const own of halves(a.data[i * k + p])) {
                left.push(-alpha * x);
                right.push(own * part);
              }
            }
          }
        }
        const row = matrix(1, left.length, Float64Array.from(left));
        return Math.abs(goldProduct(row, matrix(left.length, 1, Float64Array.from(right))).data[0]);
      });
      const largest = Math.max(...sums);
      const at = i * (n / width) + block;
      expect(Math.abs(found[at] - largest)).toBeLessThanOrEqual(
        projectionSlack(k, width, 2 ** 130, 2 ** 60) + largest * 2 ** -52,
      );
      expect(projectionSlack(k, width, 2 ** 130, 2 ** 60)).toBeLessThan(2 ** 130 * 2 ** -90);
    }
  }
});

/** Splits a double into two of 26 bits, whose products are exact. */
function halves(x: number): [number, number] {
  const c = 134217729 * x;
  const high = c - (c - x);
  return [high, x - high];
}

itWhole('two errors of a sum that cancel by half of all signs do so as often', () => {
  const zeros = (rows: number, cols: number) => matrix(rows, cols, new Float64Array(rows * cols));
  const computed = matrix(1, 8, Float64Array.of(0, 1, 1, 0, 0, 0, 0, 0));
  const product = { computed, a: zeros(1, 2), b: zeros(2, 8), alpha: 1, beta: 0 };
  const missed = (count: number) =>
    Array.from({ length: 2000 }, (_, seed) =>
      projectedErrors(product, { signs: randomSigns(8, count, seed), width: 8 }),
    ).filter(([error]) => error === 0).length;
  // Expected: 1000 with one vector, 125 with four, within five deviations.
  expect(Math.abs(missed(1) - 1000)).toBeLessThan(112);
  expect(Math.abs(missed(4) - 125)).toBeLessThan(55);
});

it('signs of neighbouring seeds have nothing in common', () => {
  const dots = Array.from({ length: 200 }, (_, seed) => {
    const [x, y] = [randomSigns(256, 1, seed), randomSigns(256, 1, seed + 1)];
    return x.data.reduce((sum: number, sign, at) => sum + sign * y.data[at], 0);
  });
  // The deviation of each is 16.
  expect(Math.max(...dots.map(Math.abs))).toBeLessThan(80);
});
