import { expect, it } from 'vitest';
import { twoSidedTailOfLargest } from '../../src/study/bench/statistics.ts';
import { medianOfLargest } from './median-of-largest.ts';

it.each([1, 100, 1e8])('half of all largest of %d numbers exceed it', (count) => {
  expect(twoSidedTailOfLargest(medianOfLargest(count), count)).toBeCloseTo(0.5, 7);
});
