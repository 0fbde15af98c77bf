import { max, mean, sum, variance } from 'd3-array';
import jStat from 'jstat';
import { requireSamples, upperTail } from './statistics.ts';

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
interface PairTest {
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

/**
 * Returns the probability that the studentized range of `means` means exceeds q. It is the upper tail itself, so that nothing cancels. With
 * the tail T of the range of normal numbers ({@link tailOfRange}) and s, the root of a χ² of `dof` degrees of freedom over `dof`, it is the
 * mean of T(q·s). In x = ln s the density of s is proportional to exp(dof·(x − (e^2x − 1)/2)). Dividing by its own integral avoids the
 * gamma function, whose logarithm cancels where there are many degrees of freedom. Relative error at most 1e-8, measured against other
 * integrals down to 1e-12; below about 1e-250 it is 0.
 * @param means at least 2.
 * @param dof above 0, not necessarily whole; infinite where the variance is known.
 */
export function tailOfStudentizedRange(q: number, means: number, dof: number): number {
  if (q === 0) return 1;
  if (q === Number.POSITIVE_INFINITY) return 0;
  // Above this, the mean over s differs from T(q) by a relative error of less than q⁴/dof.
  if (dof > 1e12) return tailOfRange(q, means);
  const logDensity = (x: number) => dof * (x - Math.expm1(2 * x) / 2);
  const logTail = (x: number) => logDensity(x) + Math.log(tailOfRange(q * Math.exp(x), means));
  const width = 1 / Math.sqrt(2 * dof);
  const all = peakedIntegral(logDensity, 0, width);
  // T falls. So the peak of the product lies below that of the density, and above the region where T is still nearly 1.
  const peak = peakOf(logTail, [Math.min(0, -Math.log(q)) - 2 - width, 0], width / 4);
  const some = peakedIntegral(logTail, peak, width);
  return Math.min(1, Math.exp(some.log - all.log) * (some.sum / all.sum));
}

/**
 * Returns the probability T that the range of so many independent standard normal numbers exceeds w. With z the least of them, T is
 * n·∫φ(z)·(Q(z)^(n−1) − (Q(z) − Q(z+w))^(n−1))dz, a sum of positive terms.
 */
export function tailOfRange(w: number, means: number): number {
  if (w > FARTHEST) return 0;
  const term = (z: number) => {
    const [above, beyond] = [upperTail(z), upperTail(z + w)];
    // Because of rounding, Q may rise a little.
    const others = -Math.expm1((means - 1) * Math.log1p(-Math.min(1, beyond / above)));
    return Math.exp((-z * z) / 2) * above ** (means - 1) * others;
  };
  // Symmetric extremes, ±w/2, are the likeliest.
  const sum = trapezoids(term, -w / 2 - REACH, -w / 2 + REACH);
  return Math.min(1, (means * sum) / Math.sqrt(2 * Math.PI));
}

/** Range beyond which T underflows: T falls as exp(−w²/4). */
const FARTHEST = 60;
/** Distance from its peak at which the density of the least number is below 1e-15 of the peak. */
const REACH = 9;
/** Logarithm of the part of a peak that is left out of its integral. */
const LEFT_OUT = -38;

/** Logarithm below which a value counts as 0, since T would lose its digits to underflow. */
const VANISHED = -600;

/** Integrates exp(log) around its only peak, as sum·exp(log). */
function peakedIntegral(log: (x: number) => number, peak: number, width: number) {
  const top = log(peak);
  if (top < VANISHED) return { log: top, sum: 0 };
  const endOf = (direction: number) => {
    let step = direction * width;
    while (log(peak + step) - top > LEFT_OUT) step *= 1.25;
    return peak + step;
  };
  return { log: top, sum: trapezoids((x) => Math.exp(log(x) - top), endOf(-1), endOf(1)) };
}

/** Finds the maximum of a function with a single one, to within `near`. */
function peakOf(f: (x: number) => number, [from, to]: readonly [number, number], near: number): number {
  let [low, high] = [from, to];
  while (high - low > near) {
    const [one, other] = [low + (high - low) / 3, high - (high - low) / 3];
    if (f(one) < f(other)) low = one;
    else high = other;
  }
  return (low + high) / 2;
}

/**
 * Integrates an analytic function that vanishes at both ends, by the trapezoidal rule, with halved widths until two sums agree. The error
 * falls exponentially: L. N. Trefethen and J. A. C. Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56 (2014),
 * theorem 5.1.
 */
function trapezoids(f: (x: number) => number, from: number, to: number): number {
  const sumFrom = (first: number, step: number) => {
    let sum = 0;
    for (let x = first; x < to; x += step) sum += f(x);
    return sum;
  };
  let step = (to - from) / 16;
  let sum = sumFrom(from, step);
  for (let halving = 0; halving < 8; halving++) {
    const between = sumFrom(from + step / 2, step);
    const settled = Math.abs(between - sum) <= 1e-5 * sum;
    sum += between;
    step /= 2;
    // Every halving about squares the error.
    if (settled) break;
  }
  return sum * step;
}
