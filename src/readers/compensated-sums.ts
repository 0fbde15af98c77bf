import { type Compensation, mayRoundProducts, type RunningSum } from '../precision/arithmetic.ts';
import type { Format } from '../precision/format.ts';
import type { LeafErrors } from './summation-stages.ts';

/** Largest losses of compensated sums of k rounded products, relative to Σ|x||y|, by the unit roundoff. */
const losses: Readonly<Record<Compensation, (k: number, u: number) => number>> = {
  /**
   * Kahan's sum: y = x − c, s' = s + y, c' = (s' − s) − y, each rounded. With σ the error of s' and S = Σ|x|, s' − c' differs from
   * s − c + x by at most u|x − c| + (u + u²)(|y| + |σ|) + u|σ|, |σ| ≤ u|s'|, |y| ≤ (1 + u)(|x| + |c|). Summed up, with
   * Σ|c| ≤ 1.02u(Σ|s| + S) for u ≤ 2^-8, that is at most 2.04uS + 4.1u²Σ|s|; and s itself is at most 2.2·S while 4.1ku² is
   * below 1/2. The last c is not subtracted: 1.02u(|s| + |y|) ≤ 2.1uS more. So s errs by (4.2u + 10ku²)·S. Products that are
   * rounded first make it less than this. (Knuth and Kahan have 2u + O(ku²), by terms: Higham, ASNA, (4.8).)
   */
  kahan: (k, u) => (k * u * u <= 1 / 9 ? 5.5 * u + 11 * k * u * u : Number.POSITIVE_INFINITY),
  /**
   * Neumaier's sum: u|s| + γ² of the sum (Ogita, Rump, Oishi, *Accurate sum and dot product*, 2005, Corollary 4.5), and rounded products.
   */
  neumaier: (k, u) =>
    k * u < 1 / 2 ? 2.1 * u + 1.1 * ((k * u) / (1 - k * u)) ** 2 : Number.POSITIVE_INFINITY,
};

/** Number of second-order roundings, in units of k, in the direction of the sum. */
const SECOND: Readonly<Record<Compensation, number>> = { kahan: 4, neumaier: 1 };

/** Returns the errors of a compensated sum: of products, of the terms as they are added, and of the result. */
export function compensatedErrors(k: number, running: RunningSum, format: Format): LeafErrors {
  const { compensated = 'kahan', bits } = running;
  const u = bits === undefined ? format.unitRoundoff : 2 ** -bits;
  const last = bits !== undefined && bits > format.precision ? format.unitRoundoff : 0;
  const second = (SECOND[compensated] * k * u * u) ** 2;
  const entry = mayRoundProducts(running, format) ? format.unitRoundoff : 0;
  const loss = losses[compensated](k, u);
  return {
    loss: loss === Number.POSITIVE_INFINITY ? loss : loss + (1 + loss) * (last + entry + last * entry),
    terms: 3 * u * u + second + entry * entry,
    mean: second,
    result: u * u + last * last,
    largest: 0,
    signs: 0,
    share: 1,
    operations: 4,
    absolute: 0,
  };
}
