import { expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { f32x2 } from './format.ts';
import { decodePair, encodePair, highOf, lowOf, pairOf } from './pair.ts';

const numbers = (): number[] => {
  const random = createRandom(1, 0, 'fine');
  return Array.from({ length: 1000 }, () => random.uniform(-1, 1) * 2 ** random.int(-60, 60));
};

test('a pair is its nearest binary32 number and what is left, and reads as the rounded number', () => {
  for (const x of [...numbers(), 0, 1 / 3, 2 ** 44 - 1, f32x2.maxFinite, 2 ** -149]) {
    const pair = encodePair(x);
    const high = Math.fround(x);
    const number = decodePair(pair);
    expect([highOf(pair), lowOf(pair), number]).toEqual([high, Math.fround(x - high), f32x2.round(x)]);
    if (Math.abs(number - x) > 2 ** -49 * Math.abs(x)) expect.fail(`${x} becomes ${number}`);
  }
});

test('what was rounded to a pair is kept', () => {
  for (const x of numbers().map(f32x2.round)) expect(decodePair(encodePair(x))).toBe(x);
});

test('the high part is in the upper four bytes, on which the device relies', () => {
  const words = new Float32Array(Float64Array.of(pairOf(3, 2 ** -30)).buffer);
  expect([...words]).toEqual([2 ** -30, 3]);
});

test('beyond the largest number the low part is nothing, so that infinity stays infinity', () => {
  expect(decodePair(encodePair(Number.POSITIVE_INFINITY))).toBe(Number.POSITIVE_INFINITY);
  expect(decodePair(encodePair(-1e300))).toBe(Number.NEGATIVE_INFINITY);
  expect(decodePair(encodePair(Number.NaN))).toBeNaN();
  expect(decodePair(encodePair(-0))).toBe(-0);
});
