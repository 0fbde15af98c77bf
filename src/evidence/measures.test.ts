import { describe, expect, test } from 'vitest';
import { operandSize } from '../exact/sizes.ts';
import { matrix, type RealArray } from '../matrix/dense.ts';
import { measure, type ProductComparison } from './measures.ts';
import { BITS_CAP } from './tally.ts';

const u = 2 ** -24;
const ones = { maxProduct: 1, frobeniusProduct: 4 };

/** Compares a 2×2 result, with |A||B| = 4 everywhere. */
function compare(
  computed: RealArray | number[],
  value: number[],
  more: Partial<ProductComparison['reference']> = {},
  how: Partial<ProductComparison> = {},
) {
  return measure({
    computed: matrix(2, 2, Array.isArray(computed) ? Float32Array.from(computed) : computed),
    reference: {
      value: Float64Array.from(value),
      low: new Float64Array(4),
      size: new Float64Array(4).fill(4),
      norms: ones,
      ...more,
    },
    u,
    ...how,
  });
}

describe('finite errors', () => {
  const { exact } = compare([1, 2, 3.5, -4], [1, 2.25, 3, -4]);

  test('max and mean are over all entries, also over the mean of |C|', () => {
    expect(exact.entries).toBe(4);
    expect(exact.max).toBe(0.5);
    expect(exact.mean).toBe(0.75 / 4);
    const meanAbs = (1 + 2.25 + 3 + 4) / 4;
    expect(exact.normalizedMax).toBe(0.5 / meanAbs);
    expect(exact.normalizedMean).toBe(0.75 / 4 / meanAbs);
  });

  test('ratios are in units of u', () => {
    expect(exact.componentwise).toBe(0.5 / 4 / u);
    expect(exact.normwise).toBe(0.5 / u);
    expect(exact.frobenius).toBe(Math.hypot(0.25, 0.5) / 4 / u);
    expect(exact.bits).toBe(3);
  });

  test('the worst entry says where, what and what it should be', () => {
    expect(exact.worst).toEqual({ i: 1, j: 0, computed: 3.5, expected: 3, error: 0.5 });
    expect(exact.unequal).toBe(2);
    expect(exact.disagreements).toBe(0);
  });
});

test('the worst component is not where the error is largest, but where it is for |A||B|', () => {
  const { exact } = compare([1.5, 2, 3, 101], [1, 2, 3, 100], { size: Float64Array.of(1, 2, 3, 100) });
  expect(exact.worst?.j).toBe(1);
  expect(exact.worstComponent).toEqual({ i: 0, j: 0, computed: 1.5, expected: 1, error: 0.5 });
  expect(exact.componentwise).toBe(0.5 / u);
});

test('an exact product has no error, all bits, and no worst entry', () => {
  const { exact, ideal } = compare([1, -0, 3, 4], [1, 0, 3, 4], { size: new Float64Array(4) });
  expect(exact).toEqual({
    entries: 4,
    max: 0,
    mean: 0,
    normalizedMax: 0,
    normalizedMean: 0,
    componentwise: 0,
    normwise: 0,
    frobenius: 0,
    bits: BITS_CAP,
    unequal: 0,
    disagreements: 0,
    agreements: 0,
    worst: undefined,
    worstComponent: undefined,
  });
  expect(ideal).toBeUndefined();
});

test('an error where |A||B| or C is zero is infinitely many units', () => {
  const { exact } = compare([1, 0, 0, 0], [0, 0, 0, 0], { size: new Float64Array(4) });
  expect(exact.componentwise).toBe(Number.POSITIVE_INFINITY);
  expect(exact.normalizedMax).toBe(Number.POSITIVE_INFINITY);
  expect(exact.bits).toBe(0);
});

test('the low part of the reference counts', () => {
  const value = [1, 1, 1, 1];
  const low = Float64Array.of(2 ** -60, 0, 0, 0);
  const { exact } = compare(Float64Array.from(value), value, { low });
  expect(exact.max).toBe(2 ** -60);
  expect(exact.unequal).toBe(1);
});

describe('values that are not finite', () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

  test.each([
    ['NaN for a number', nan, 1],
    ['an infinity for a number', inf, 1],
    ['a number for NaN', 1, nan],
    ['a number for an infinity', 1, inf],
    ['the other infinity', -inf, inf],
    ['NaN for an infinity', nan, inf],
    ['an infinity for NaN', inf, nan],
  ])('%s is an infinite error in every measure', (_, computed, expected) => {
    const { exact } = compare([1, computed, 3, 4], [1, expected, 3, 4], {});
    for (const measureName of [
      'max',
      'mean',
      'normalizedMax',
      'normalizedMean',
      'componentwise',
      'normwise',
      'frobenius',
    ] as const) {
      expect(exact[measureName], measureName).toBe(inf);
    }
    expect(exact.bits).toBe(0);
    expect(exact.disagreements).toBe(1);
    expect(exact.unequal).toBe(1);
    expect(exact.worst).toMatchObject({ i: 0, j: 1, error: inf });
  });

  test('a NaN result is an infinite error also where |A||B| is NaN, infinite, or the operands are', () => {
    for (const size of [nan, inf, 0]) {
      const { exact } = compare([nan, 1, 1, 1], [1, 1, 1, 1], {
        size: new Float64Array(4).fill(size),
        norms: { maxProduct: size, frobeniusProduct: size },
      });
      expect([exact.componentwise, exact.normwise, exact.frobenius]).toEqual([inf, inf, inf]);
    }
  });

  test('the same NaN or infinity is no error, and does not count in the mean of |C|', () => {
    const { exact } = compare([nan, inf, -inf, 4.5], [nan, inf, -inf, 4], {
      size: Float64Array.of(nan, inf, inf, 4),
    });
    expect(exact.disagreements).toBe(0);
    expect(exact.max).toBe(0.5);
    expect(exact.mean).toBe(0.125);
    expect(exact.normalizedMax).toBe(0.125);
  });

  test('an infinity is right where the exact value rounds to it in the format of the result', () => {
    const big = 2 ** 128;
    expect(compare([inf, 1, 1, 1], [big, 1, 1, 1]).exact.disagreements).toBe(0);
    expect(compare([-inf, 1, 1, 1], [big, 1, 1, 1]).exact.disagreements).toBe(1);
    expect(compare(Float64Array.of(inf, 1, 1, 1), [big, 1, 1, 1]).exact.max).toBe(inf);
  });
});

test('the error against the ideal is kept apart, of the same entries', () => {
  const computed = [1, 0.5, 0, 1];
  const value = [1, 0.25, 0, 1];
  const identity = (i: number, j: number) => (i === j ? 1 : 0);
  const found = compare(computed, value, {}, { ideal: identity });
  expect(found.exact.max).toBe(0.25);
  expect(found.ideal?.max).toBe(0.5);
});

test('nothing compared says so', () => {
  const none = new Float64Array(0);
  const nothing = { value: none, low: none, size: none };
  const { exact } = measure({
    computed: matrix(0, 3, new Float32Array(0)),
    reference: { ...nothing, norms: ones },
    u,
  });
  expect(exact.entries).toBe(0);
  expect(exact.mean).toBe(0);
});

test('arrays of other sizes, and a unit roundoff that is none, are refused', () => {
  expect(() => compare([1, 1, 1, 1], [1, 1])).toThrow('the exact product has 2 entries');
  expect(() => compare([1, 1, 1, 1], [1, 1, 1, 1], { size: new Float64Array(3) })).toThrow(
    '|A||B| has 3 entries',
  );
  expect(() => compare([1, 1, 1, 1], [1, 1, 1, 1], {}, { u: Number.NaN })).toThrow('unit roundoff');
});

test('an operand is measured by its largest entry and its Frobenius norm; NaN stays NaN', () => {
  expect(operandSize(matrix(1, 3, Float32Array.of(3, -4, 0)))).toEqual({ maxAbs: 4, frobenius: 5 });
  expect(operandSize(matrix(1, 3, Float32Array.of(3, Number.NaN, 9))).maxAbs).toBeNaN();
  expect(operandSize(matrix(0, 3, new Float32Array(0)))).toEqual({ maxAbs: 0, frobenius: 0 });
});
