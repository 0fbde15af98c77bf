import type { Format } from '../format.ts';

/** The smallest and the largest of a set of numbers. */
export interface Ends {
  readonly least: number;
  readonly most: number;
}

/** Returns the smallest and the largest finite number of a format. Two's complement has one more number below zero. */
export function endsOf({ round, maxFinite, minSubnormal, numbers }: Format): Ends {
  if (numbers !== undefined) return { least: numbers[0], most: maxFinite };
  const least = round(-maxFinite - minSubnormal);
  return { least: Number.isFinite(least) ? least : 0, most: maxFinite };
}
