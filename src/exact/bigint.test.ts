import { expect, it } from 'vitest';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';

it('writes entries as integers in units of their grid', () => {
  const line = Float64Array.of(9, 0, -0.75, 2 ** 60, 1.5);
  expect(toIntegers(line, 1, 4, -2)).toEqual([0n, -3n, 1n << 62n, 6n]);
  expect(toIntegers(Float64Array.of(Number.MIN_VALUE, Number.MAX_VALUE), 0, 2, -1074)).toEqual([
    1n,
    (2n ** 53n - 1n) << 2045n,
  ]);
});

it('adds products', () => {
  expect(integerDot([2n, -3n], [5n, 7n])).toBe(-11n);
  expect(integerDot([], [])).toBe(0n);
});

const tie = 2n ** 53n;
it.each([
  ['an exact value', 5n, -1, 2.5, 0],
  ['a tie, to the even one below', tie + 1n, 0, 2 ** 53, 1],
  ['a tie, to the even one above', tie + 3n, 0, 2 ** 53 + 4, -1],
  ['a tie tipped up', (tie + 1n) * 2n ** 200n + 1n, -200, 2 ** 53 + 2, -1],
  ['a negative tie', -tie - 1n, 0, -(2 ** 53), -1],
  ['a carry into the next power of two', 2n ** 54n - 1n, 0, 2 ** 54, -1],
  ['the smallest subnormal', 1n, -1074, 2 ** -1074, 0],
  ['half of it, a tie to zero', 1n, -1075, 0, 0],
  ['just above half of it', 2n ** 100n + 1n, -1175, 2 ** -1074, -0],
  ['a negative value that vanishes', -1n, -2000, -0, -0],
  ['a carry into the normal numbers', 2n ** 53n - 1n, -1075, 2 ** -1022, -0],
  ['the largest double', 2n ** 53n - 1n, 971, Number.MAX_VALUE, 0],
  ['just below the edge of overflow', (2n ** 54n - 1n) * 2n ** 60n - 1n, 910, Number.MAX_VALUE, 2 ** 970],
  ['the edge of overflow', 2n ** 54n - 1n, 970, Number.POSITIVE_INFINITY, 0],
  ['far beyond it', -(2n ** 5000n), 0, Number.NEGATIVE_INFINITY, 0],
  ['zero', 0n, 9000, 0, 0],
])('rounds %s', (_, n, e, value, low) => {
  const pair = roundInteger(n, e);
  expect(pair.value).toBe(value);
  expect(pair.low).toBe(low);
});
