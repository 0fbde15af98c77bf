import { mean, sum, variance } from 'd3-array';
import jStat from 'jstat';
import { requireSamples } from './statistics.ts';

/** Why samples were not tested. */
export interface NoTest {
  readonly tested: false;
  readonly reason: string;
}

/** Whether several means may be one, where variances differ. */
export interface WelchAnova {
  readonly tested: true;
  readonly f: number;
  /** Degrees of freedom of the numerator: samples less one. */
  readonly between: number;
  /** Of the denominator; seldom whole. */
  readonly within: number;
  /** How likely so large an F is if all means are the same. */
  readonly p: number;
}

/** A sample as the tests need it. */
interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/**
 * Welch's analysis of variance for samples of different variances: B. L. Welch, "On the comparison of several mean
 * values: an alternative approach", Biometrika 38 (1951), equations 22–29.
 * @param samples at least two; each of at least two values that are not all the same, else there is no test.
 * @throws ParanoiaError `bad-number` for a value that is no finite number.
 */
export function welchAnova(samples: readonly (readonly number[])[]): WelchAnova | NoTest {
  const moments = momentsOf(samples);
  if ('tested' in moments) return moments;
  const groups = moments.length;
  const weights = moments.map(({ count, variance }) => count / variance);
  const weight = sum(weights);
  const centre = sum(moments.map(({ mean }, at) => weights[at] * mean)) / weight;
  const spread = sum(moments.map(({ mean }, at) => weights[at] * (mean - centre) ** 2)) / (groups - 1);
  const lambda = sum(moments.map(({ count }, at) => (1 - weights[at] / weight) ** 2 / (count - 1)));
  const f = spread / (1 + (2 * (groups - 2) * lambda) / (groups ** 2 - 1));
  const between = groups - 1;
  const within = (groups ** 2 - 1) / (3 * lambda);
  return { tested: true, f, between, within, p: tailOfF(f, between, within) };
}

/** The moments of samples that can be compared, or why they cannot. */
function momentsOf(samples: readonly (readonly number[])[]): readonly Moments[] | NoTest {
  const no = (reason: string): NoTest => ({ tested: false, reason });
  if (samples.length < 2) return no(`it takes two samples at least, and there is ${samples.length}`);
  const short = samples.findIndex((values) => values.length < 2);
  if (short >= 0) return no(`sample ${short + 1} has fewer than two values, and so no variance`);
  const moments = samples.map((values) => {
    requireSamples('a test of means', values, 2);
    return { count: values.length, mean: mean(values) as number, variance: variance(values) as number };
  });
  const constant = samples.findIndex((values) => values.every((value) => value === values[0]));
  if (constant >= 0) return no(`sample ${constant + 1} is constant, and so has no variance to weigh it by`);
  return moments;
}

/** The upper tail of F's distribution, without the cancellation of 1 − cdf: Abramowitz and Stegun 26.6.2. */
function tailOfF(f: number, between: number, within: number): number {
  return jStat.ibeta(within / (within + between * f), within / 2, between / 2);
}

/** One pair of samples, compared. */
export interface PairTest {
  /** Places of the two samples among those given. */
  readonly one: number;
  readonly other: number;
  /** Mean of the first less that of the second. */
  readonly difference: number;
  /** The studentized range. */
  readonly q: number;
  /** Degrees of freedom after Welch and Satterthwaite. */
  readonly dof: number;
  /** How likely so large a q is, among all pairs, if the means are the same; 0 means below about 1e-12. */
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
): { readonly tested: true; readonly pairs: readonly PairTest[] } | NoTest {
  const moments = momentsOf(samples);
  if ('tested' in moments) return moments;
  const errors = moments.map(({ count, variance }) => variance / count);
  const pairs: PairTest[] = [];
  for (let one = 0; one < moments.length; one++) {
    for (let other = one + 1; other < moments.length; other++) {
      const error = errors[one] + errors[other];
      const difference = moments[one].mean - moments[other].mean;
      const q = Math.abs(difference) / Math.sqrt(error / 2);
      const dof =
        error ** 2 /
        (errors[one] ** 2 / (moments[one].count - 1) + errors[other] ** 2 / (moments[other].count - 1));
      const p = dof < LEAST_DOF ? 1 : tailOfRange(q, moments.length, dof);
      pairs.push({ one, other, difference, q, dof, p });
    }
  }
  if (pairs.some(({ dof }) => dof < LEAST_DOF)) {
    return { tested: false, reason: 'a pair has fewer than two degrees of freedom; it takes more trials' };
  }
  return { tested: true, pairs };
}

/** The studentized range has no tabulated distribution below. */
const LEAST_DOF = 2;

/** Beyond this the tail is far below what the distribution function resolves, and its quadrature may fail. */
const FAR = 200;

function tailOfRange(q: number, means: number, dof: number): number {
  return q > FAR && dof > 4 ? 0 : Math.min(1, Math.max(0, 1 - jStat.tukey.cdf(q, means, dof)));
}
