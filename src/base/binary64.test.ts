import { expect, it } from 'vitest';
import { exponentOf, lowestBit } from './binary64.ts';

it.each([
  [1, 0, 0],
  [-1, 0, 0],
  [3, 1, 0],
  [-0.75, -1, -2],
  [2 ** 52 + 1, 52, 0],
  [2 ** 53, 53, 53],
  [Number.MAX_VALUE, 1023, 971],
  [Number.MIN_VALUE, -1074, -1074],
  [2 ** -1023, -1023, -1023],
  [2 ** -1022 - 2 ** -1074, -1023, -1074],
  [2 ** -1022, -1022, -1022],
  [3 * 2 ** -1043, -1042, -1043],
  [2 ** -1042 + 2 ** -1040, -1040, -1042],
  [Math.fround(0.1), -4, -27],
])('%d spans the bits 2^%d to 2^%d', (x, high, low) => {
  expect(exponentOf(x)).toBe(high);
  expect(lowestBit(x)).toBe(low);
});

it('is right for every power of two', () => {
  for (let e = -1074; e < 1024; e++) {
    expect(exponentOf(2 ** e)).toBe(e);
    expect(lowestBit(-(2 ** e))).toBe(e);
  }
});
