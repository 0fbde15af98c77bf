import type { Format } from '../format.ts';

/** The smallest and the largest of some numbers. */
export interface Ends {
  readonly least: number;
  readonly most: number;
}

/** The smallest and the largest finite number of a format: two's complement has one more below zero. */
export function endsOf({ round, maxFinite, minSubnormal }: Format): Ends {
  const least = round(-maxFinite - minSubnormal);
  return { least: Number.isFinite(least) ? least : 0, most: maxFinite };
}
