import { expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { growthOfKernel, levelGrowth } from '../algorithms/growth.ts';
import { matrix } from '../matrix/dense.ts';
import { precisions } from '../precision/precisions.ts';
import type { LevelGrowth } from '../problem/method.ts';
import { integerBudget, operandLimit, staysWhole } from './integer-budget.ts';

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
  return {
    product: Math.max(...products),
    total: products.reduce((sum, p) => sum + p, 0),
    operand: Math.max(...sums[name].flat()),
    split: 2,
  };
};

/** Growth of Winograd's variant. */
const growth: LevelGrowth = { product: 9, total: 27, operand: 4, split: 2 };

test('the growth of tables is that of the formulas, and Winograd’s serves classical products and Strassen’s too', () => {
  expect(levelGrowth(findAlgorithm('winograd'))).toEqual(growthOf('winograd'));
  expect(levelGrowth(findAlgorithm('strassen'))).toEqual(growthOf('strassen'));
  expect(growthOf('winograd')).toEqual(growth);
  for (const name of ['classical', 'strassen', 'winograd'])
    expect(growthOfKernel(`${name}:naive`)).toEqual(growth);
  expect(growthOfKernel('blas')).toEqual(growth);
});

test('levels of unknown growth have no budget', () => {
  expect(() => integerBudget(8, { levels: 1 })).toThrow('growth');
  expect(() => operandLimit({ levels: 1 })).toThrow('growth');
});

test('without levels the budget is 2^24 over k', () => {
  expect(integerBudget(1)).toBe(2 ** 24);
  expect(integerBudget(1000)).toBe(Math.floor(2 ** 24 / 1000));
  expect(integerBudget(0)).toBe(2 ** 24);
  expect(integerBudget(16, { precision: precisions.find('f16') })).toBe(128);
});

test('levels cost product^(L−1)·total, and the inner dimension shrinks, rounded up', () => {
  expect(integerBudget(100, { levels: 1, growth })).toBe(Math.floor(2 ** 24 / (27 * 50)));
  expect(integerBudget(101, { levels: 2, growth })).toBe(Math.floor(2 ** 24 / (9 * 27 * 26)));
  expect(integerBudget(2 ** 15, { levels: 4, growth })).toBe(0);
});

test('the budget is that of the format that adds, the limit of operands that of the one they are rounded to', () => {
  const inBits = (name: string) => {
    const precision = precisions.find(name);
    return [Math.log2(integerBudget(1, { precision })), Math.log2(operandLimit({ precision }))];
  };
  for (const [name, bits] of Object.entries({
    f32: [24, 24],
    f16: [11, 11],
    'f16-f32': [24, 11],
    'bf16-f32': [24, 8],
    'tf32-f32': [24, 11],
    // Whole numbers of one part: products omit small parts of larger ones.
    'tf32x3-f32': [24, 11],
    'bf16x3-f32': [24, 8],
    'bf16x6-f32': [24, 8],
    'bf16x9-f32': [24, 8],
    f64: [53, 53],
    f32x2: [44, 44],
    c32: [23, 23],
    c64: [52, 52],
    'f16-f32-f16': [24, 11],
    'bf16-f32-bf16': [24, 8],
    'e4m3-f32': [24, 4],
    'e4m3-f32-bf16': [24, 4],
    'e5m2-f32': [24, 3],
    'e4m3fnuz-f32': [24, 4],
    'e5m2fnuz-f32': [24, 3],
    'e3m2-f32': [24, 3],
    'e2m3-f32': [24, 2],
    'e2m1-f32': [24, 2],
    'int8-i32': [30, 6],
    'uint8-i32': [30, 6],
    'int4-i32': [30, 2],
  })) {
    expect([name, inBits(name)]).toEqual([name, bits]);
  }
  // Elements are multiplied by their factors before blocks are summed. With a zero point, two signs share their range.
  for (const [name, bits] of Object.entries({
    'mxfp8-e4m3': 4,
    ...{ nvfp4: 2, mxint8: 6, 'int8-row': 6, 'uint8-row': 6, nbits4: 2, q4_0: 2 },
  })) {
    expect([name, ...inBits(name)]).toEqual([name, 24, bits]);
  }
});

test('each level adds at most four blocks of an operand', () => {
  const precision = precisions.find('bf16-f32');
  expect([0, 1, 2, 3].map((levels) => operandLimit({ levels, growth, precision }))).toEqual([256, 64, 16, 4]);
  expect(operandLimit({ levels: 1, growth })).toBe(2 ** 22);
  // Winograd's S4 = A12 − (A21 + A22 − A11), the longest of them
  expect(Math.max(...sums.winograd.flat())).toBe(4);
});

test.each([
  [0, 'f32', 24, true],
  [0, 'f32', 25, false],
  [1, 'f32', 20, true],
  [1, 'f32', 24, false],
  // A part of complex entries is the sum of two sums of products.
  [0, 'c32', 24, true],
  [0, 'c32', 25, false],
] as const)(
  'whole numbers stay whole at %i levels in %s: sums of 2^%i, %s',
  (levels, name, bits, expected) => {
    const a = matrix(2, 4, Float64Array.of(0, 0, 0, 0, 1, 1, 1, 1));
    const b = matrix(4, 1, new Float64Array(4).fill(2 ** (bits - 2)));
    const limits = { levels, growth: growthOf('winograd'), precision: precisions.find(name) };
    expect(staysWhole({ a, b }, limits)).toBe(expected);
  },
);

test.each([
  [0, 1, true],
  [0, 2 ** -1, false],
  [1, 2 ** -1, false],
  [0, 2 ** 5, true],
])(
  'at %i levels numbers stay exact in the unit of their last bits: one in B of %f, %s',
  (levels, unit, expected) => {
    const a = matrix(1, 4, Float64Array.of(1, 1, 1, 1));
    const b = matrix(4, 1, Float64Array.of(2 ** 18, 2 ** 18, 2 ** 18, unit));
    const limits = { levels, growth: growthOf('strassen'), precision: precisions.find('bf16-f32') };
    const large = matrix(1, 4, Float64Array.of(2 ** 4, 2 ** 4, 2 ** 4, 1));
    expect(staysWhole({ a: levels === 0 ? large : a, b }, limits)).toBe(expected);
    // Compensating factors of A leave whole products.
    if (levels === 0)
      expect(
        staysWhole(
          {
            a: matrix(
              1,
              4,
              large.data.map((x, p) => (p === 3 ? 1 / unit : x)),
            ),
            b,
          },
          limits,
        ),
      ).toBe(true);
  },
);
