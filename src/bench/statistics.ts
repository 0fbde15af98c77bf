import { seeded } from '../inputs/random.ts';
import { problem } from '../problems.ts';

/** The middle of the values: the mean of the two middle ones where their number is even. @throws Problem `few-samples` */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The value below which a fraction p of the values lies, straight lines between the sorted values: definition 7 of
 * Hyndman and Fan, "Sample quantiles in statistical packages" (1996).
 * @throws Problem `few-samples` where there is no value, `bad-number` for one that is no finite number.
 */
export function quantile(values: readonly number[], p: number): number {
  requireSamples('a quantile', values, 1);
  const sorted = Float64Array.from(values).sort();
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/** The arithmetic mean. @throws Problem `few-samples`, `bad-number` */
export function mean(values: readonly number[]): number {
  requireSamples('a mean', values, 1);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The unbiased variance of a sample, over n − 1. @throws Problem `few-samples` below two values, `bad-number` */
export function variance(values: readonly number[]): number {
  requireSamples('a variance', values, 2);
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}

/** A confidence interval. */
export type Interval = readonly [low: number, high: number];

/** How an interval is found. */
export interface BootstrapOptions {
  /** @defaultValue {@link median} */
  readonly of?: (values: readonly number[]) => number;
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
 * @throws Problem `few-samples` below three values, `bad-number` for one that is no finite number.
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
  return [quantile(drawn, tail), quantile(drawn, 1 - tail)];
}

/** @throws Problem `few-samples`, `bad-number` */
function requireSamples(what: string, values: readonly number[], least: number): void {
  if (values.length < least) throw problem('few-samples', { what, least, given: values.length });
  const odd = values.find((value) => !Number.isFinite(value));
  if (odd !== undefined) {
    throw problem('bad-number', { what: `Every sample of ${what}`, given: odd, need: 'a finite number' });
  }
}
