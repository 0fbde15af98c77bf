import { expect, test } from 'vitest';
import { findInput } from '../inputs/inputs.ts';
import { doublePrecision } from '../precision/double.ts';
import { fma, measureFusedDistance } from './measured-product.ts';

test('fma rounds once', () => {
  const ulp = 2 ** -52;
  expect(fma(1 + ulp, 1 + ulp, -1)).toBe(2 * ulp + ulp * ulp);
  expect(fma(1 + ulp, 1 - ulp, -1)).toBe(-(ulp * ulp));
  expect(fma(3, 5, 7)).toBe(22);
  // Rounded twice this would be 1: the product is slightly more than half an ulp, and the excess is lost first.
  expect(fma(2 ** -27 * (1 + 2 ** -26), 2 ** -26 * (1 + 2 ** -26), 1)).toBe(1 + ulp);
});

test('products of whole numbers are not apart, and others by less than a rounding a term', () => {
  const n = 40;
  const shape = { m: n, k: n, n, seed: 3, precision: doublePrecision };
  const product = (name: string) => {
    const { a, b } = findInput(name).generate(shape);
    const data = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let p = 0; p < n; p++) {
        for (let j = 0; j < n; j++) data[i * n + j] += a.data[i * n + p] * b.data[p * n + j];
      }
    }
    return measureFusedDistance({ rows: n, cols: n, data }, a, b);
  };
  expect(product('integers')).toEqual({ max: 0, mean: 0 });
  const { max, mean } = product('uniform-0-1');
  expect(mean).toBeGreaterThan(0);
  expect(mean).toBeLessThan(2 ** -53);
  expect(max).toBeGreaterThan(mean);
  expect(max).toBeLessThan(n * 2 ** -53);
});
