import { expect, test } from 'vitest';
import { f16 } from '../precision/format.ts';
import { fromHalfBits, halfBits } from './half-bits.ts';

test('every pattern is one number, and comes back', () => {
  const lost: number[] = [];
  for (let bits = 0; bits < 0x10000; bits++) {
    const x = fromHalfBits(bits);
    const back = halfBits(x);
    if (Number.isNaN(x) ? back !== 0x7e00 : back !== bits || f16.round(x) !== x) lost.push(bits);
  }
  expect(lost).toEqual([]);
});

test.each([
  [1, 0x3c00],
  [-2, 0xc000],
  [-0, 0x8000],
  [65504, 0x7bff],
  [65520, 0x7c00],
  [-1e30, 0xfc00],
  [2 ** -24, 1],
  [2 ** -25, 0],
  [3 * 2 ** -25, 2],
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
  [2 ** -14 * (1 - 2 ** -12), 0x0400],
])('%s is rounded to nearest', (x, bits) => {
  expect(halfBits(x)).toBe(bits);
});
