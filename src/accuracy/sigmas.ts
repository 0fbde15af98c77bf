import { problem } from '../problems.ts';

/** The thresholds, in sigmas, beyond which entries are counted. */
export const SIGMA_STEPS = [1, 2, 3, 4, 5, 6] as const;

/** Errors counted in their expected sizes. */
export interface InSigmas {
  readonly entries: number;
  /** The largest |error| / sigma; 0 when there are no entries. */
  readonly worst: number;
  /** Offset of the worst entry in the arrays; undefined when no entry is in error. */
  readonly at: number | undefined;
  /** Fraction of the entries beyond 1, 2, … 6 sigmas; 0 when there are none. */
  readonly beyond: readonly number[];
}

/**
 * Divides errors (of either sign) by sigmas, entry by entry. No error is 0 sigmas whatever sigma is; an error where
 * sigma is 0, and any NaN, is infinitely many.
 * @throws Problem `shapes-differ` when the arrays have different lengths.
 */
export function inSigmas(errors: Float64Array, sigma: Float64Array): InSigmas {
  if (errors.length !== sigma.length) {
    throw problem('shapes-differ', {
      a: `${errors.length} errors`,
      b: `${sigma.length} sigmas`,
      why: 'each error needs its sigma',
    });
  }
  const counts = new Array<number>(SIGMA_STEPS.length).fill(0);
  let worst = 0;
  let at: number | undefined;
  for (let e = 0; e < errors.length; e++) {
    if (errors[e] === 0) continue;
    const quotient = Math.abs(errors[e]) / sigma[e];
    const ratio = Number.isNaN(quotient) ? Number.POSITIVE_INFINITY : quotient;
    if (ratio > worst) {
      worst = ratio;
      at = e;
    }
    for (let step = 0; step < SIGMA_STEPS.length && ratio > SIGMA_STEPS[step]; step++) counts[step]++;
  }
  const entries = errors.length;
  return { entries, worst, at, beyond: counts.map((count) => (entries === 0 ? 0 : count / entries)) };
}
