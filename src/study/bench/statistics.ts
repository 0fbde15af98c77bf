import { median, quantile } from 'd3-array';
import { badNumber } from '../../base/messages.ts';
import { seeded } from '../../base/random.ts';
import { fewSamples } from '../messages.ts';

/** A confidence interval. */
export type Interval = readonly [low: number, high: number];

/** How an interval is found. */
export interface BootstrapOptions {
  /** @defaultValue the median */
  readonly of?: (values: readonly number[]) => number | undefined;
  /** @defaultValue 0.95 */
  readonly confidence?: number;
  /** Samples drawn anew. @defaultValue 2000 */
  readonly resamples?: number;
  /** The same seed, the same interval. @defaultValue 1 */
  readonly seed?: number;
}

/**
 * The percentile interval of the bootstrap (Efron 1979): samples of the same length are drawn from the values, with
 * replacement, and the middle `confidence` of their statistics is taken. A sample of one value many times gives that
 * value twice: what does not vary has no uncertainty that it could show.
 * @throws ParanoiaError `few-samples` below three values, `bad-number` for one that is no finite number.
 */
export function bootstrapInterval(
  values: readonly number[],
  { of = median, confidence = 0.95, resamples = 2000, seed = 1 }: BootstrapOptions = {},
): Interval {
  requireSamples('a bootstrap interval', values, 3);
  const random = seeded(seed);
  const last = values.length - 1;
  const drawn = Array.from({ length: resamples }, () => of(values.map(() => values[random.int(0, last)])));
  const tail = (1 - confidence) / 2;
  return [quantile(drawn, tail) as number, quantile(drawn, 1 - tail) as number];
}

/** Refuses too few samples, and those that are no numbers. @throws ParanoiaError `few-samples`, `bad-number` */
export function requireSamples(what: string, values: readonly number[], least: number): void {
  if (values.length < least) throw fewSamples({ what, least, given: values.length });
  const odd = values.find((value) => !Number.isFinite(value));
  if (odd !== undefined) {
    throw badNumber({ what: `Every sample of ${what}`, given: odd, need: 'a finite number' });
  }
}
