import jStat from 'jstat';
import { createRandom } from '../base/random.ts';

/** One measured error at a value of the parameter: a size n, or a number of levels. */
export interface GrowthPoint {
  readonly x: number;
  readonly error: number;
}

/** The reason for which there is no fit. */
export interface MissingFit {
  readonly fitted: false;
  readonly reason: string;
  /** Points left out because their error is 0, which has no logarithm. */
  readonly zeros: number;
}

/** A fitted line. */
export interface GrowthFit {
  readonly fitted: true;
  /** log2 error = intercept + slope·(log2 n or levels). */
  readonly slope: number;
  readonly intercept: number;
  /** Confidence interval of the slope, [low, high]; undefined for as many points as unknowns. */
  readonly interval: readonly [number, number] | undefined;
  /** Coefficient of determination, from 0 to 1. */
  readonly r2: number;
  readonly points: number;
  readonly zeros: number;
}

/** A power law error ≈ coefficient·n^exponent. */
export interface PowerFit extends GrowthFit {
  readonly exponent: number;
  readonly coefficient: number;
}

/** A factor for each level: error ≈ coefficient·factor^levels. */
export interface LevelsFit extends GrowthFit {
  readonly factor: number;
  readonly factorInterval: readonly [number, number] | undefined;
  readonly coefficient: number;
}

/**
 * Fits error ≈ c·n^p by least squares of log2 error on log2 n. Replicates (several points of one n, from different
 * seeds) narrow the interval of {@link slopeInterval}.
 * @param confidence of the interval, between 0 and 1.
 */
export function fitPowerGrowth(points: readonly GrowthPoint[], confidence = 0.95): PowerFit | MissingFit {
  const line = fitLine(points, Math.log2, confidence);
  if (!line.fitted) return line;
  return { ...line, exponent: line.slope, coefficient: 2 ** line.intercept };
}

/** Fits error ≈ c·f^levels by least squares of log2 error on the levels; see {@link fitPowerGrowth}. */
export function fitLevelsGrowth(points: readonly GrowthPoint[], confidence = 0.95): LevelsFit | MissingFit {
  const line = fitLine(points, (levels) => levels, confidence);
  if (!line.fitted) return line;
  const { interval } = line;
  return {
    ...line,
    factor: 2 ** line.slope,
    factorInterval: interval === undefined ? undefined : [2 ** interval[0], 2 ** interval[1]],
    coefficient: 2 ** line.intercept,
  };
}

function fitLine(
  points: readonly GrowthPoint[],
  abscissa: (x: number) => number,
  confidence: number,
): GrowthFit | MissingFit {
  const zeros = points.filter((point) => point.error === 0).length;
  const used = points
    .filter((point) => point.error !== 0)
    .map((point) => ({ x: abscissa(point.x), y: Math.log2(point.error) }));
  const no = (reason: string): MissingFit => ({ fitted: false, reason, zeros });
  if (used.some(({ x, y }) => !Number.isFinite(x) || !Number.isFinite(y))) {
    return no('an error or its parameter is not a finite positive number');
  }
  const different = new Set(used.map(({ x }) => x)).size;
  if (different < 2) {
    return no(`a slope needs nonzero errors at two or more parameters, found ${different}`);
  }
  const count = used.length;
  const meanX = mean(used.map(({ x }) => x));
  const meanY = mean(used.map(({ y }) => y));
  const sum = (term: (point: { x: number; y: number }) => number) =>
    used.reduce((total, point) => total + term(point), 0);
  const sxx = sum(({ x }) => (x - meanX) ** 2);
  const syy = sum(({ y }) => (y - meanY) ** 2);
  const slope = sum(({ x, y }) => (x - meanX) * (y - meanY)) / sxx;
  const intercept = meanY - slope * meanX;
  const residuals = used.map(({ x, y }) => y - intercept - slope * x);
  const reach = slopeInterval({ x: used.map(({ x }) => x), residuals }, confidence);
  return {
    fitted: true,
    slope,
    intercept,
    interval: reach && [slope + reach[0], slope + reach[1]],
    r2: syy === 0 ? 1 : Math.max(0, 1 - residuals.reduce((total, r) => total + r * r, 0) / syy),
    points: count,
    zeros,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Points through which a line was fitted by least squares. */
interface FittedPoints {
  /** Abscissae. */
  readonly x: readonly number[];
  /** Residuals: each ordinate less that of the line. */
  readonly residuals: readonly number[];
}

/** The fewest points from which residuals are drawn; fewer leave too few. */
const FEWEST_DRAWN = 6;
const DRAWS = 1999;

/**
 * Returns how far a slope's confidence interval reaches below and above it: [low, high], low ≤ 0 ≤ high but for skew residuals.
 *
 * From six points on it is an expanded percentile interval of the bootstrap: residuals r_i/√(1 − h_i), less their average, are drawn again
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
