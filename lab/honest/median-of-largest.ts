import { twoSidedTailOfLargest } from '../../src/study/bench/statistics.ts';

/** Returns the median of the largest magnitude of `count` independent normal numbers. */
export function medianOfLargest(count: number): number {
  let [low, high] = [0, 20];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (twoSidedTailOfLargest(middle, count) > 0.5) low = middle;
    else high = middle;
  }
  return low;
}
