import { median, quantile } from 'd3-array';
import { badNumber } from '../../base/messages.ts';
import { createRandom } from '../../base/random.ts';
import { fewSamples } from '../messages.ts';

/**
 * Returns the chance Q(t) that a standard normal number exceeds t, to 12 digits in both tails: Abramowitz and Stegun, *Handbook of
 * Mathematical Functions*, 26.2.11 (a series) where t is small, 26.2.14 (a continued fraction) beyond.
 */
export function upperTail(t: number): number {
  if (t < 0) return 1 - upperTail(-t);
  const density = Math.exp(-t * (t / 2)) / Math.sqrt(2 * Math.PI);
  if (t < SMALL) {
    let [term, sum] = [t, t];
    for (let odd = 3; term > sum * 2 ** -54; odd += 2) {
      term *= (t * t) / odd;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = t;
  for (let at = TERMS; at >= 1; at--) fraction = t + at / fraction;
  return density / fraction;
}

/** Up to SMALL the series loses less than seven bits to 1/2; beyond it TERMS terms of the fraction have converged. */
const SMALL = 2.5;
const TERMS = 70;

/** Returns the chance that a standard normal number exceeds t ≥ 0 in magnitude: 2·Q(t). */
export function twoSidedTail(t: number): number {
  return 2 * upperTail(t);
}

/** Returns the chance that the largest of `count` independent normal numbers exceeds t in magnitude. */
export function twoSidedTailOfLargest(t: number, count: number): number {
  return -Math.expm1(count * Math.log1p(-twoSidedTail(t)));
}

export type ConfidenceInterval = readonly [low: number, high: number];

interface BootstrapOptions {
  /** @defaultValue the median */
  readonly of?: (values: readonly number[]) => number | undefined;
  /** @defaultValue 0.95 */
  readonly confidence?: number;
  /** Seed of the resamples; equal seeds give equal intervals. @defaultValue 1 */
  readonly seed?: number;
}

const RESAMPLES = 2000;

/**
 * Computes the percentile interval of the bootstrap (Efron 1979). Samples of the same length are drawn from the values, with replacement,
 * and the middle `confidence` of their statistics is taken. A sample of equal values gives an interval of zero width, since it shows no
 * variation.
 * @throws ParanoiaError `few-samples` below three values, `bad-number` for one that is no finite number.
 */
export function bootstrapInterval(
  values: readonly number[],
  { of = median, confidence = 0.95, seed = 1 }: BootstrapOptions = {},
): ConfidenceInterval {
  requireSamples('a bootstrap interval', values, 3);
  const random = createRandom(seed);
  const last = values.length - 1;
  const drawn = Array.from({ length: RESAMPLES }, () => of(values.map(() => values[random.int(0, last)])));
  const tail = (1 - confidence) / 2;
  return [quantile(drawn, tail) as number, quantile(drawn, 1 - tail) as number];
}

/** Refuses too few samples, and samples that are no finite numbers. @throws ParanoiaError `few-samples`, `bad-number` */
export function requireSamples(what: string, values: readonly number[], least: number): void {
  if (values.length < least) throw fewSamples({ what, least, given: values.length });
  const odd = values.find((value) => !Number.isFinite(value));
  if (odd !== undefined) {
    throw badNumber({ what: `Every sample of ${what}`, given: odd, need: 'a finite number' });
  }
}
