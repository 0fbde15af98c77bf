import { median, quantile } from 'd3-array';
import { badNumber } from '../../base/messages.ts';
import { createRandom } from '../../base/random.ts';
import { fewSamples } from '../messages.ts';

/** The limits of a confidence interval. */
export type ConfidenceInterval = readonly [low: number, high: number];

/** Options of the bootstrap. */
export interface BootstrapOptions {
  /** @defaultValue the median */
  readonly of?: (values: readonly number[]) => number | undefined;
  /** @defaultValue 0.95 */
  readonly confidence?: number;
  /** Number of resamples. @defaultValue 2000 */
  readonly resamples?: number;
  /** Seed of the resamples; equal seeds give equal intervals. @defaultValue 1 */
  readonly seed?: number;
}

/**
 * Computes the percentile interval of the bootstrap (Efron 1979). Samples of the same length are drawn from the values, with replacement,
 * and the middle `confidence` of their statistics is taken. A sample of equal values gives an interval of zero width, since it shows no
 * variation.
 * @throws ParanoiaError `few-samples` below three values, `bad-number` for one that is no finite number.
 */
export function bootstrapInterval(
  values: readonly number[],
  { of = median, confidence = 0.95, resamples = 2000, seed = 1 }: BootstrapOptions = {},
): ConfidenceInterval {
  requireSamples('a bootstrap interval', values, 3);
  const random = createRandom(seed);
  const last = values.length - 1;
  const drawn = Array.from({ length: resamples }, () => of(values.map(() => values[random.int(0, last)])));
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
