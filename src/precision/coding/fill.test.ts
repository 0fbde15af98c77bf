import { expect, test } from 'vitest';
import { int8, uint8 } from '../formats/whole-formats.ts';
import { elementsOf } from './fill.ts';

test('with a zero point, quotients go to the nearest whole number, ties to even, and no farther than the ends', () => {
  const become = elementsOf(uint8, { factor: 2, zero: 10 });
  expect([1, 3, 5, -1, -3, 7.1, 1000, -1000].map(become)).toEqual([10, 12, 12, 10, 8, 14, 255, 0]);
});

test('without one, the least number of two’s complement is left out where it is to be', () => {
  expect([false, true].map((isSymmetric) => elementsOf(int8, { factor: 1, isSymmetric })(-500))).toEqual([
    -128, -127,
  ]);
});
