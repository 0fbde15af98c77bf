/** How many of a set of numbers lie in each of a row of equal bins around zero. */
export interface Histogram {
  readonly width: number;
  /** Bin i holds the numbers from (i − half)·width up to (i + 1 − half)·width, half being half the number of bins. */
  readonly counts: readonly number[];
}

/** Counts numbers in `bins` bins (an even number) of a width; those beyond, and NaN, are in the outermost. */
export function histogram(values: Float64Array, width = 0.25, bins = 32): Histogram {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.floor(value / width) + bins / 2;
    counts[Number.isNaN(bin) ? bins - 1 : Math.min(Math.max(bin, 0), bins - 1)]++;
  }
  return { width, counts };
}
