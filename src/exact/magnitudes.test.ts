import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import { addProduct } from '../precision/add-product.ts';
import { MAGNITUDE_BLOCK, magnitudesOf } from './magnitudes.ts';
import { openExactPool } from './node/pool.ts';
import { absoluteProduct, raised } from './sizes.ts';

const random = createRandom(3, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform01() - 0.5),
  );

const areSame = (x: Float64Array, y: Float64Array) =>
  x.length === y.length && x.every((value, e) => value === y[e]);

it.each([
  [3, 5, 2],
  [MAGNITUDE_BLOCK + 3, 1100, MAGNITUDE_BLOCK + 9],
])('of %i×%i×%i, all terms are summed in the order of k, alone and on threads', async (m, k, n) => {
  const [a, b] = [drawn(m, k), drawn(k, n)];
  const squares = new Float64Array(m * n);
  const square = (data: Float32Array) => Float64Array.from(data, (x) => x * x);
  addProduct(square(a.data), square(b.data), { m, k, n }, squares);
  const alone = magnitudesOf({ shape: { m, k, n }, a: a.data, b: b.data });
  expect(areSame(alone.squares, squares)).toBe(true);
  expect(areSame(raised(alone.sizes.slice(), k), absoluteProduct(a, b))).toBe(true);
  const pool = openExactPool({ workers: 2 });
  try {
    const isShared = m * k * n >= 2 ** 24;
    // The second product takes memory that the first one has left.
    for (let run = 0; run < 2; run++) {
      const { magnitudes, product } = await pool.product.withMagnitudes(a, b);
      expect(magnitudes === undefined).toBe(!isShared);
      const { sizes, squares } = magnitudes ?? alone;
      expect([areSame(sizes, alone.sizes), areSame(squares, alone.squares)]).toEqual([true, true]);
      expect(areSame(product.data, (await pool.product(a, b)).product.data)).toBe(true);
    }
  } finally {
    await pool.close();
  }
});
