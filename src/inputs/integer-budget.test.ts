import { expect, test } from 'vitest';
import { type PrecisionName, precisionNames, precisions } from '../formats/precision.ts';
import { integerBudget, type LevelGrowth, operandLimit, WINOGRAD_GROWTH } from './integer-budget.ts';

/** Rows of Σ|U_r| and Σ|V_r|, from the formulas of the two methods, written out by hand. */
const sums: Record<string, readonly (readonly [number, number])[]> = {
  strassen: [
    [2, 2],
    [2, 1],
    [1, 2],
    [1, 2],
    [2, 1],
    [2, 2],
    [2, 2],
  ],
  winograd: [
    [1, 1],
    [1, 1],
    [4, 1],
    [1, 4],
    [2, 2],
    [3, 3],
    [2, 2],
  ],
};

const growthOf = (name: string): LevelGrowth => {
  const products = sums[name].map(([u, v]) => u * v);
  return { product: Math.max(...products), total: products.reduce((sum, p) => sum + p, 0), split: 2 };
};

test('the default growth is Winograd’s, and covers Strassen’s', () => {
  expect(WINOGRAD_GROWTH).toEqual(growthOf('winograd'));
  expect(growthOf('strassen').product).toBeLessThanOrEqual(WINOGRAD_GROWTH.product);
  expect(growthOf('strassen').total).toBeLessThanOrEqual(WINOGRAD_GROWTH.total);
});

test('without levels the budget is 2^24 over k', () => {
  expect(integerBudget(1)).toBe(2 ** 24);
  expect(integerBudget(1000)).toBe(Math.floor(2 ** 24 / 1000));
  expect(integerBudget(0)).toBe(2 ** 24);
  expect(integerBudget(16, { precision: precisions.f16 })).toBe(128);
});

test('levels cost product^(L−1)·total, and the inner dimension shrinks, rounded up', () => {
  expect(integerBudget(100, { levels: 1 })).toBe(Math.floor(2 ** 24 / (27 * 50)));
  expect(integerBudget(101, { levels: 2 })).toBe(Math.floor(2 ** 24 / (9 * 27 * 26)));
  expect(integerBudget(2 ** 15, { levels: 4 })).toBe(0);
});

test('the budget is that of the format that adds, the limit of operands that of the one they are rounded to', () => {
  const inBits = (name: PrecisionName) => {
    const precision = precisions[name];
    return [Math.log2(integerBudget(1, { precision })), Math.log2(operandLimit({ precision }))];
  };
  expect(Object.fromEntries(precisionNames.map((name) => [name, inBits(name)]))).toEqual({
    f32: [24, 24],
    f16: [11, 11],
    'f16-f32': [24, 11],
    'bf16-f32': [24, 8],
    'tf32-f32': [24, 11],
    f64: [53, 53],
    f32x2: [44, 44],
  });
});

test('each level adds at most four blocks of an operand', () => {
  const precision = precisions['bf16-f32'];
  expect([0, 1, 2, 3].map((levels) => operandLimit({ levels, precision }))).toEqual([256, 64, 16, 4]);
  expect(operandLimit({ levels: 1 })).toBe(2 ** 22);
  // Winograd's S4 = A12 − (A21 + A22 − A11), the longest of them
  expect(Math.max(...sums.winograd.flat())).toBe(4);
});
