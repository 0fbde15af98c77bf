import { describe, expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { goldProduct } from './gold.ts';

const dot = (a: number[], b: number[]) =>
  goldProduct(matrix(1, a.length, Float64Array.from(a)), matrix(b.length, 1, Float64Array.from(b))).data[0];

describe('gold product', () => {
  it('takes doubles for what they are, not for the decimals they print as', () => {
    expect(dot([0.1, -1], [10, 1])).toBe(2 ** -54);
    expect(dot([1 / 3, -1], [3, 1])).toBe(-(2 ** -54));
    expect(dot([0.1], [0.1])).toBe(0.1 * 0.1);
  });

  it.each([
    ['a tie to even', [2 ** 53, 1], [1, 1], 2 ** 53],
    ['a tie to even above', [2 ** 53 + 2, 1], [1, 1], 2 ** 53 + 4],
    ['a tie tipped from 2^-2148', [2 ** 53, 1, 2 ** -1074], [1, 1, 2 ** -1074], 2 ** 53 + 2],
    ['a tie tipped down', [2 ** 53 + 2, 1, -(2 ** -1074)], [1, 1, 2 ** -1074], 2 ** 53 + 2],
    ['a sum that cancels in the middle', [1e308, 1, -1e308], [1e308, 1, 1e308], 1],
    ['total cancellation', [-3, 3], [7, 7], 0],
    ['a tie to zero', [2 ** -1074], [0.5], 0],
    ['a negative tie to zero', [-(2 ** -1074)], [0.5], -0],
    ['just above it', [2 ** -1074, 2 ** -1074], [0.5, 2 ** -1074], 2 ** -1074],
    ['the edge of overflow', [Number.MAX_VALUE, 2 ** 970], [1, 1], Number.POSITIVE_INFINITY],
    [
      'just below the edge of overflow',
      [Number.MAX_VALUE, 2 ** 970, -(2 ** -1074)],
      [1, 1, 1],
      Number.MAX_VALUE,
    ],
    ['negative overflow', [-1e200], [1e200], Number.NEGATIVE_INFINITY],
    ['0 times infinity', [0, 1], [Number.POSITIVE_INFINITY, 1], Number.NaN],
    ['infinity', [1, 1e308], [Number.NEGATIVE_INFINITY, 1e308], Number.NEGATIVE_INFINITY],
    ['opposite infinities', [1, -1], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], Number.NaN],
    ['signed zeros', [-0, 0], [1, -1], 0],
    ['nothing', [], [], 0],
  ])('rounds %s', (_, a, b, expected) => {
    expect(dot(a, b)).toBe(expected);
  });
});
