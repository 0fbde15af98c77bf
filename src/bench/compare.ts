import { group } from 'd3-array';
import { gamesHowell } from './games-howell.ts';
import { effectiveRate, type Measurement } from './measurement.ts';
import { type NoTest, type WelchAnova, welchAnova } from './welch-anova.ts';

/** Two entrants, compared by the speeds of their trials. */
export interface ComparedPair {
  readonly one: string;
  readonly other: string;
  /** Median speed of the first over that of the second. */
  readonly ratio: number;
  readonly p: number;
}

/** Whether the entrants of one round differ in speed, and which of them. */
export interface Comparison {
  /** The product: `1024×1024×1024, uniform`. */
  readonly product: string;
  readonly anova: WelchAnova | NoTest;
  /** Empty where there is no test. */
  readonly pairs: readonly ComparedPair[];
}

/** What a product is called: m×k×n and the family of its operands. */
export function productOf({ m, k, n, input }: Measurement): string {
  return `${m}×${k}×${n}, ${input}`;
}

/** Compares the entrants of every product that more than one ran on: Welch's test over all, Games and Howell's pairs. */
export function compare(measurements: readonly Measurement[]): Comparison[] {
  return [...group(measurements, productOf)].flatMap(([product, all]) => {
    if (all.length < 2) return [];
    const samples = all.map((one) => one.seconds.map((seconds) => effectiveRate(one, seconds)));
    const tests = gamesHowell(samples);
    const pairs = tests.tested
      ? tests.pairs.map(({ one, other, p }) => ({
          one: all[one].label,
          other: all[other].label,
          ratio: all[other].median / all[one].median,
          p,
        }))
      : [];
    return [{ product, anova: welchAnova(samples), pairs }];
  });
}
