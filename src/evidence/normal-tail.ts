import jStat from 'jstat';

/** The chance that a standard normal number exceeds t in magnitude: 2·Q(t). */
export function beyond(t: number): number {
  return 2 * jStat.normal.cdf(-t, 0, 1);
}

/** The chance that the largest of so many independent ones exceeds t. */
export function someBeyond(t: number, count: number): number {
  return -Math.expm1(count * Math.log1p(-beyond(t)));
}

/** What the largest of so many independent ones exceeds half the time. */
export function medianOfLargest(count: number): number {
  let [low, high] = [0, 20];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (someBeyond(middle, count) > 0.5) low = middle;
    else high = middle;
  }
  return low;
}
