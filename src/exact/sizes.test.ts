import { expect, test } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { absoluteProduct } from './sizes.ts';

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
