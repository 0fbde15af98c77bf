import { expect, it, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { type Matrix, matrix, productShape } from '../matrix/dense.ts';
import { addProduct } from '../precision/add-product.ts';
import { exactProduct } from './exact.ts';
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

const scaled = (x: Matrix, by: number): Matrix => ({ ...x, data: x.data.map((entry) => entry * by) });

const absolute = (x: Matrix): Matrix => ({ ...x, data: x.data.map(Math.abs) });

const areSame = (x: Float64Array, y: Float64Array) =>
  x.length === y.length && x.every((value, e) => value === y[e]);

const square = (x: number) => x * x;

/** Returns the sums of magnitudes in doubles, in the order of k. */
function inDoubles(a: Matrix, b: Matrix) {
  const squares = new Float64Array(a.rows * b.cols);
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  addProduct(Float64Array.from(a.data, square), Float64Array.from(b.data, square), shape, squares);
  return { sizes: absoluteProduct(a, b), squares };
}

const alone = (a: Matrix, b: Matrix) => {
  const { sizes, squares } = magnitudesOf({ shape: productShape(a, b), a: a.data, b: b.data });
  return { sizes: raised(sizes, a.cols), squares };
};

const DEEP = [MAGNITUDE_BLOCK + 3, 1100, MAGNITUDE_BLOCK + 9] as const;

it.each<[string, Matrix, Matrix]>([
  ['a small product', drawn(3, 5), drawn(5, 2)],
  ['binary64', { ...drawn(259, 1100), data: Float64Array.from(drawn(259, 1100).data) }, drawn(1100, 265)],
  ['numbers whose squares underflow', scaled(drawn(259, 1100), 2 ** -80), drawn(1100, 265)],
  ['numbers whose squares overflow', scaled(drawn(259, 1100), 2 ** 40), drawn(1100, 265)],
  ['a narrow product', drawn(15, 2 ** 17), drawn(2 ** 17, 15)],
])('of %s, all terms are summed in doubles, in the order of k', (_, a, b) => {
  const [found, expected] = [alone(a, b), inDoubles(a, b)];
  expect(areSame(found.squares, expected.squares)).toBe(true);
  expect(areSame(found.sizes, expected.sizes)).toBe(true);
});

it('sums of binary32 are no less than the exact ones, and little more', () => {
  const [a, b] = [drawn(DEEP[0], DEEP[1]), drawn(DEEP[1], DEEP[2])];
  const [found, expected] = [alone(a, b), inDoubles(a, b)];
  const exact = exactProduct(absolute(a), absolute(b)).product.data;
  expect(found.sizes.every((x, e) => x >= exact[e] && x <= exact[e] * (1 + 2 ** -14))).toBe(true);
  expect(found.squares.every((x, e) => Math.abs(x / expected.squares[e] - 1) < 2 ** -15)).toBe(true);
});

it.each([[3, 5, 2] as const, DEEP])('%i×%i×%i has the same sums on threads', async (m, k, n) => {
  const [a, b] = [drawn(m, k), drawn(k, n)];
  const expected = magnitudesOf({ shape: { m, k, n }, a: a.data, b: b.data });
  const pool = openExactPool({ workers: 2 });
  try {
    const isShared = m * k * n >= 2 ** 24;
    // The second product takes memory that the first one has left.
    for (let run = 0; run < 2; run++) {
      const { magnitudes, product, lend } = await pool.product.withMagnitudes(a, b);
      // What is lent beside is no part of the product.
      for (let times = 0; times < 2; times++) lend?.(m * n).fill(Number.NaN);
      expect(magnitudes === undefined).toBe(!isShared);
      const { sizes, squares } = magnitudes ?? expected;
      expect([areSame(sizes, expected.sizes), areSame(squares, expected.squares)]).toEqual([true, true]);
      const value = product.data.slice();
      expect(areSame(value, (await pool.product(a, b)).product.data)).toBe(true);
    }
  } finally {
    await pool.close();
  }
});

/** Returns entries of a linear congruential generator, so that they differ without a pattern. */
const entries = (count: number, seed: number) =>
  Float32Array.from(
    { length: count },
    (_, at) => ((Math.imul(at + seed, 2654435761) >>> 8) / 2 ** 23 - 1) * 3,
  );

test.each([
  [1, 1, 1],
  [3, 5, 4],
  [2, 131, 7],
  [5, 66, 515],
  [0, 3, 3],
  [3, 0, 2],
])('is |A||B|, never below and hardly above, for %i×%i×%i', (m, k, n) => {
  const [a, b] = [entries(m * k, 1), entries(k * n, 99)];
  const product = absoluteProduct(matrix(m, k, a), matrix(k, n, b));
  expect(product.length).toBe(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let exact = 0n;
      for (let t = 0; t < k; t++) exact += fixed(a[i * k + t]) * fixed(b[t * n + j]);
      const got = fixed106(product[i * n + j]);
      if (got < exact || got - exact > exact >> 40n) expect.fail(`(${i}, ${j}): ${got} for ${exact}`);
    }
  }
});

test('keeps zeros exact, and lets NaN and infinities through', () => {
  const a = matrix(3, 2, Float32Array.of(0, 0, 1, Number.NaN, 1, Number.NEGATIVE_INFINITY));
  const b = matrix(2, 1, Float32Array.of(1, 2));
  expect(Array.from(absoluteProduct(a, b))).toEqual([0, Number.NaN, Number.POSITIVE_INFINITY]);
});

test('refuses operands that do not fit', () => {
  expect(() => absoluteProduct(matrix(1, 2, new Float32Array(2)), matrix(1, 2, new Float32Array(2)))).toThrow(
    'as many columns as B has rows',
  );
});

/** Returns |x|·2^53 as an integer: exact for the entries above. */
function fixed(x: number): bigint {
  return BigInt(Math.abs(x) * 2 ** 53);
}

/** Returns x·2^106, exactly. */
function fixed106(x: number): bigint {
  const exponent = x === 0 ? 0 : Math.floor(Math.log2(x));
  return BigInt(x * 2 ** (60 - exponent)) << BigInt(46 + exponent);
}
