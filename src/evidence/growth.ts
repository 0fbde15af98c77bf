import { slopeInterval } from './slope-interval.ts';

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
