import { max, mean, sum, variance } from 'd3-array';
import jStat from 'jstat';
import { requireSamples } from './statistics.ts';
import { tailOfStudentizedRange } from './studentized-range.ts';

/** The reason why samples were not tested. */
export interface MissingTest {
  readonly tested: false;
  readonly reason: string;
}

/** The result of Welch's test of equal means, for samples of different variances. */
export interface WelchAnova {
  readonly tested: true;
  readonly f: number;
  /** Degrees of freedom of the numerator: number of samples minus one. */
  readonly between: number;
  /** Degrees of freedom of the denominator; seldom a whole number. */
  readonly within: number;
  /** Probability of an F at least so large if all means are the same. */
  readonly p: number;
}

/** The moments of a sample: mean and variance of its values over `unit`, which all samples share. */
interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
  readonly unit: number;
}

/**
 * Runs Welch's analysis of variance for samples of different variances: B. L. Welch, "On the comparison of several mean values: an
 * alternative approach", Biometrika 38 (1951), equations 22–29.
 * @param samples at least two, each with at least two values that are not all equal. Otherwise there is no test.
 * @throws ParanoiaError `bad-number` for a value that is no finite number.
 */
export function welchAnova(samples: readonly (readonly number[])[]): WelchAnova | MissingTest {
  const moments = momentsOf(samples);
  if ('tested' in moments) return moments;
  const groups = moments.length;
  const weights = moments.map(({ count, variance }) => count / variance);
  const weight = sum(weights);
  const center = sum(moments.map(({ mean }, at) => weights[at] * mean)) / weight;
  const spread = sum(moments.map(({ mean }, at) => weights[at] * (mean - center) ** 2)) / (groups - 1);
  const lambda = sum(moments.map(({ count }, at) => (1 - weights[at] / weight) ** 2 / (count - 1)));
  const f = spread / (1 + (2 * (groups - 2) * lambda) / (groups ** 2 - 1));
  const between = groups - 1;
  const within = (groups ** 2 - 1) / (3 * lambda);
  return { tested: true, f, between, within, p: tailOfF(f, between, within) };
}

/** Returns the moments of comparable samples, or the reason why they are not comparable. */
function momentsOf(samples: readonly (readonly number[])[]): readonly Moments[] | MissingTest {
  const no = (reason: string): MissingTest => ({ tested: false, reason });
  if (samples.length < 2) return no(`it needs at least two samples, but has ${samples.length}`);
  const short = samples.findIndex((values) => values.length < 2);
  if (short >= 0) return no(`sample ${short + 1} has fewer than two values, so no variance`);
  for (const values of samples) requireSamples('a test of means', values, 2);
  // Neither test depends on the unit. With this unit, no square leaves the range.
  const unit = unitOf(samples);
  const moments = samples.map((values) => {
    const scaled = values.map((value) => value / unit);
    return { count: values.length, mean: mean(scaled) as number, variance: variance(scaled) as number, unit };
  });
  const constant = moments.findIndex(({ variance }) => variance < LEAST_VARIANCE);
  if (constant >= 0) return no(`sample ${constant + 1} is constant, so its weight is undefined`);
  return moments;
}

/** Least variance of values of at most 2 in magnitude. Below it, its reciprocal could overflow. */
const LEAST_VARIANCE = 1e-300;

/** Returns the power of two below the largest magnitude, or 1 where all are zeros. */
function unitOf(samples: readonly (readonly number[])[]): number {
  const largest = max(samples, (values) => max(values, Math.abs)) ?? 0;
  return largest > 0 ? 2 ** Math.floor(Math.log2(largest)) : 1;
}

/** Returns the upper tail of F's distribution, without the cancellation of 1 − cdf: Abramowitz and Stegun 26.6.2. To nine digits. */
function tailOfF(f: number, between: number, within: number): number {
  return jStat.ibeta(within / (within + between * f), within / 2, between / 2);
}

/** The comparison of one pair of samples. */
export interface PairTest {
  /** Index of the first sample; `other` is that of the second. */
  readonly one: number;
  readonly other: number;
  /** Mean of the first minus that of the second. */
  readonly difference: number;
  /** The studentized range. */
  readonly q: number;
  /** Degrees of freedom after Welch and Satterthwaite. */
  readonly dof: number;
  /** Probability of a q at least so large, among all pairs, if the means are the same. */
  readonly p: number;
}

/**
 * Compares every pair of samples where variances and lengths differ: P. A. Games and J. F. Howell, "Pairwise multiple
 * comparison procedures with unequal n's and/or variances", Journal of Educational Statistics 1 (1976).
 * @param samples as {@link welchAnova} takes them.
 * @throws ParanoiaError `bad-number` for a value that is no finite number.
 */
export function gamesHowell(
  samples: readonly (readonly number[])[],
): { readonly tested: true; readonly pairs: readonly PairTest[] } | MissingTest {
  const moments = momentsOf(samples);
  if ('tested' in moments) return moments;
  const errors = moments.map(({ count, variance }) => variance / count);
  const pairs: PairTest[] = [];
  for (let one = 0; one < moments.length; one++) {
    for (let other = one + 1; other < moments.length; other++) {
      const error = errors[one] + errors[other];
      const apart = moments[one].mean - moments[other].mean;
      const q = Math.abs(apart) / Math.sqrt(error / 2);
      const share = errors[one] / error;
      const dof = 1 / (share ** 2 / (moments[one].count - 1) + (1 - share) ** 2 / (moments[other].count - 1));
      const p = tailOfStudentizedRange(q, moments.length, dof);
      const difference = apart * moments[one].unit;
      pairs.push({ one, other, difference, q, dof, p });
    }
  }
  return { tested: true, pairs };
}
