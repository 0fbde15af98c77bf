import type { Arithmetic, ArithmeticClaims, RunningSum } from './arithmetic.ts';
import { documentedAdders } from './documented-adders.ts';
import { type Entering, entering } from './entering.ts';
import type { Format } from './format.ts';

/** In which order a kernel adds up the products of one entry of C. */
export const orders = ['any', 'sequential', 'blocked', 'pairwise', 'split-k', 'data-dependent'] as const;
export type Order = (typeof orders)[number];

/** What is claimed of the order of sums. */
export interface ClaimedSums {
  /** `any` does not depend on the data; what sorts its terms, or adds the small ones first, is `data-dependent`. */
  readonly order?: Order | undefined;
  /** Terms that are summed apart, in any order: those of a block, of a part of k, of the smallest of the halves of halves. */
  readonly partition?: number | undefined;
  /** Into how many parts k is split. */
  readonly parts?: number | undefined;
}

/** How the products of one entry are added up: in an order, by one of some running sums. */
export interface Sums extends ClaimedSums {
  /** Of one that is known, alone; of a kernel that does not say, those that it may have. */
  readonly running: readonly RunningSum[];
}

/** Of halves of halves, the smallest that a kernel may be thought to have: NumPy's are of 128 terms. */
export const SMALLEST_HALF = 128;

/**
 * The running sums that a kernel may have. Where products of narrower numbers are summed in a wider format, as matrix units
 * do, and nothing is claimed of how, any unit that is documented may be at work.
 */
export function runningIn(
  precision: Entering & { readonly accumulated: Format },
  { rounding }: Arithmetic,
  claims: ArithmeticClaims,
): readonly RunningSum[] {
  if (claims.accumulator !== undefined) return [{ ...claims.accumulator, rounding }];
  const isUnit =
    entering(precision).precision < precision.accumulated.precision && claims.rounding === undefined;
  return [{ rounding }, ...(isUnit ? documentedAdders.map(({ unit }) => unit) : [])];
}

/** What is known of a kernel's sums; undefined where that is no more than that the running sum rounds as all does. */
export function sumsOf(order: ClaimedSums, running: readonly RunningSum[]): Sums | undefined {
  const [{ rounding, ...kept }] = running;
  const isPlain = running.length === 1 && Object.keys(kept).length === 0;
  return isPlain && (order.order ?? 'any') === 'any' ? undefined : { ...order, running };
}
