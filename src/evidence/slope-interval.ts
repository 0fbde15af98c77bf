import jStat from 'jstat';
import { createRandom } from '../base/random.ts';

/** Points through which a line was fitted by least squares. */
export interface FittedPoints {
  /** Abscissae. */
  readonly x: readonly number[];
  /** Residuals: each ordinate less that of the line. */
  readonly residuals: readonly number[];
}

/** The fewest points from which residuals are drawn; fewer leave too few. */
export const FEWEST_DRAWN = 6;
const DRAWS = 1999;

/**
 * Returns how far a slope's confidence interval reaches below and above it: [low, high], low ≤ 0 ≤ high but for skew residuals.
 *
 * From six points on it is an expanded percentile interval of the bootstrap: residuals r_i/√(1 − h_i), less their mean, are drawn again
 * with replacement, where h_i is the leverage of point i. Of 1999 slopes so drawn, those at the levels Φ(−t) and Φ(t) bound it. Here t is
 * the quantile of Student's distribution with N − 2 degrees of freedom, in place of the z of plain percentiles (Davison and Hinkley,
 * *Bootstrap Methods and their Application*, 1997, §6.2; Hesterberg, *What teachers should know about the bootstrap*, 2015, §5.3). With
 * fewer points it is Student's, for normal residuals: ±t·s/√Σ(x − x̄)². The same points give the same interval.
 * @param confidence between 0 and 1.
 * @returns undefined for two points, which leave a line no residuals.
 */
export function slopeInterval(
  { x, residuals }: FittedPoints,
  confidence: number,
): readonly [low: number, high: number] | undefined {
  const freedom = x.length - 2;
  if (freedom < 1) return undefined;
  const center = mean(x);
  const weights = x.map((value) => value - center);
  const sxx = weights.reduce((sum, weight) => sum + weight * weight, 0);
  const t = jStat.studentt.inv((1 + confidence) / 2, freedom);
  if (x.length < FEWEST_DRAWN) {
    const half = t * Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / freedom / sxx);
    return [-half, half];
  }
  const adjusted = residuals.map((r, i) => r / Math.sqrt(1 - 1 / x.length - weights[i] ** 2 / sxx));
  const slopes = drawnSlopes(
    weights.map((weight) => weight / sxx),
    adjusted,
  );
  const tail = jStat.normal.cdf(-t, 0, 1);
  return [quantile(slopes, tail), quantile(slopes, 1 - tail)];
}

/** Returns the changes of the slope by drawn residuals, sorted. */
function drawnSlopes(weights: readonly number[], residuals: readonly number[]): Float64Array {
  const offset = mean(residuals);
  const centered = Float64Array.from(residuals, (r) => r - offset);
  const random = createRandom(1);
  const slopes = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < weights.length; i++)
      slopes[draw] += weights[i] * centered[random.bits() % centered.length];
  }
  return slopes.sort();
}

/** Returns the quantile of sorted values, interpolated linearly. */
function quantile(sorted: Float64Array, share: number): number {
  const place = Math.min(sorted.length - 1, Math.max(0, share * (sorted.length + 1) - 1));
  const low = Math.floor(place);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
