import type { Arithmetic, ArithmeticClaims, RunningSum } from './arithmetic.ts';
import { addersOf } from './documented-adders.ts';
import { type Entering, entering, isMicroscaled } from './entering.ts';
import type { Format } from './format.ts';

/** In which order a kernel adds up the products of one entry of C. */
export const orders = [
  ...(['any', 'sequential', 'blocked', 'pairwise', 'split-k'] as const),
  ...(['data-dependent', 'signs-apart'] as const),
] as const;
export type Order = (typeof orders)[number];

/** True of an order that follows from the values of the terms. */
export const dependsOnData = (order: Order | undefined): boolean =>
  order === 'data-dependent' || order === 'signs-apart';

/** What is claimed of the order of sums. */
export interface ClaimedSums {
  /** `any` does not depend on the data; what sorts its terms, or adds the small ones first, is `data-dependent`; positive and negative products in a sum each, `signs-apart`. */
  readonly order?: Order | undefined;
  /** Terms that are summed apart, in any order: those of a block, of a part of k, of the smallest of the halves of halves. */
  readonly partition?: number | undefined;
  /** Into how many parts k is split. */
  readonly parts?: number | undefined;
  /** How k is cut into parts. @defaultValue in any way: they may be as unlike as they like */
  readonly cut?: Cut | undefined;
}

/**
 * How k is cut into parts: `even`, none of more than ⌈k/parts⌉ terms, interleaved or not; `rest-last`, each of ⌊k/parts⌋ terms and the last of
 * the rest, too; or into whole tiles of so many terms, as many in each part as in the first or fewer.
 */
export type Cut = 'even' | 'rest-last' | { readonly tile: number };

export const cuts = ['even', 'rest-last'] as const;

/** The parts of a sum. */
export interface Parts {
  /** The most terms of one. */
  readonly largest: number;
  /** Terms of each but the last. */
  readonly each: number;
  readonly count: number;
}

/** The parts of a sum of k terms, of which it is said how many terms or how many parts there are; else all terms are in one. */
export function partsIn(k: number, { partition, parts, cut }: ClaimedSums): Parts {
  const byTerms = (each: number, count = Math.ceil(k / each)) => ({
    largest: Math.min(k, each),
    each,
    count,
  });
  if (parts === undefined) return byTerms(partition ?? k);
  const even = Math.ceil(k / parts);
  if (cut === undefined) return { largest: k, each: even, count: 1 };
  if (cut === 'even') return byTerms(even, Math.min(parts, k));
  if (cut === 'rest-last') {
    const each = Math.floor(k / parts);
    return each === 0 ? byTerms(k) : { largest: k - (parts - 1) * each, each, count: parts };
  }
  const tiles = Math.ceil(k / cut.tile);
  return byTerms(Math.ceil(tiles / parts) * cut.tile, Math.min(parts, tiles));
}

/** How the products of one entry are added up: in an order, by one of some running sums. */
export interface Sums extends ClaimedSums {
  /** Of one that is known, alone; of a kernel that does not say, those that it may have. */
  readonly running: readonly RunningSum[];
}

/** Of halves of halves, the smallest that a kernel may be thought to have: NumPy's are of 128 terms. */
export const SMALLEST_HALF = 128;

/** The formats of products and of their sums. */
interface Summing extends Entering {
  readonly accumulated: Format;
}

/**
 * The running sums that a kernel may have. Where products of narrower numbers are summed in a wider format, as matrix units
 * do, and nothing is claimed of how, any unit that is documented may be at work.
 */
export function runningIn(
  precision: Summing,
  { rounding }: Arithmetic,
  claims: ArithmeticClaims,
): readonly RunningSum[] {
  const { accumulator, fma } = claims;
  if (accumulator !== undefined) return [{ ...accumulator, rounding, ...(fma && { fma }) }];
  const operand = entering(precision);
  const { accumulated } = precision;
  const isRounded = accumulated.unitRoundoff > 0;
  const isUnit = isRounded && operand.precision < accumulated.precision && claims.rounding === undefined;
  return [{ rounding }, ...(isUnit ? addersOf(operand, isMicroscaled(precision)) : [])];
}

/** The fewest significand bits of any of some running sums; infinitely many where none says. */
export const fewestBits = (running: readonly RunningSum[]): number =>
  Math.min(...running.map(({ bits = Number.POSITIVE_INFINITY }) => bits));

/** The format of sums with as few bits as the narrowest running sum that a kernel may have. */
export function narrowestSums(
  precision: Summing,
  arithmetic: Arithmetic,
  claims: ArithmeticClaims = {},
): Format {
  const { accumulated } = precision;
  const bits = fewestBits(runningIn(precision, arithmetic, claims));
  if (bits >= accumulated.precision) return accumulated;
  return { ...accumulated, precision: bits, unitRoundoff: 2 ** -bits };
}

/** What is known of a kernel's sums; undefined where that is no more than that the running sum rounds as all does. */
export function sumsOf(order: ClaimedSums, running: readonly RunningSum[]): Sums | undefined {
  const [{ rounding, ...kept }] = running;
  const isPlain = running.length === 1 && Object.keys(kept).length === 0;
  return isPlain && (order.order ?? 'any') === 'any' ? undefined : { ...order, running };
}
