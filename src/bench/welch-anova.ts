import jStat from 'jstat';
import { mean, variance } from './statistics.ts';

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
export interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/**
 * Welch's analysis of variance for samples of different variances: B. L. Welch, "On the comparison of several mean
 * values: an alternative approach", Biometrika 38 (1951), equations 22–29.
 * @param samples at least two; each of at least two values that are not all the same, else there is no test.
 * @throws Problem `bad-number` for a value that is no finite number.
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
  return { tested: true, f, between, within, p: upperTail(f, between, within) };
}

/** The moments of samples that can be compared, or why they cannot. */
export function momentsOf(samples: readonly (readonly number[])[]): readonly Moments[] | NoTest {
  const no = (reason: string): NoTest => ({ tested: false, reason });
  if (samples.length < 2) return no(`it takes two samples at least, and there is ${samples.length}`);
  const short = samples.findIndex((values) => values.length < 2);
  if (short >= 0) return no(`sample ${short + 1} has fewer than two values, and so no variance`);
  const moments = samples.map((values) => ({
    count: values.length,
    mean: mean(values),
    variance: variance(values),
  }));
  const constant = samples.findIndex((values) => values.every((value) => value === values[0]));
  if (constant >= 0) return no(`sample ${constant + 1} is constant, and so has no variance to weigh it by`);
  return moments;
}

/** The upper tail of F's distribution, without the cancellation of 1 − cdf: Abramowitz and Stegun 26.6.2. */
function upperTail(f: number, between: number, within: number): number {
  return jStat.ibeta(within / (within + between * f), within / 2, between / 2);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
