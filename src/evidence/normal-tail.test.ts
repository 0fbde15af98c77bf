import { expect, it } from 'vitest';
import { beyond, medianOfLargest, someBeyond } from './normal-tail.ts';

it('has the tails of the normal distribution', () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1: Q(2), Q(4); Q(6) = 9.8659e-10.
  expect(beyond(2)).toBeCloseTo(2 * 0.0227501319, 9);
  expect(beyond(4)).toBeCloseTo(2 * 3.16712418e-5, 12);
  expect(beyond(6) / (2 * 9.865876e-10)).toBeCloseTo(1, 6);
});

it('tells what the largest of many does', () => {
  expect(someBeyond(2, 1)).toBeCloseTo(beyond(2), 12);
  expect(someBeyond(6, 2 ** 16)).toBeLessThan(1.3e-4);
  expect(someBeyond(2, 1e6)).toBe(1);
  for (const count of [1, 100, 1e8]) expect(someBeyond(medianOfLargest(count), count)).toBeCloseTo(0.5, 7);
});
