import { exponentOf } from '../base/binary64.ts';

/**
 * Inner products summed in double-double: an unevaluated pair hi + lo of doubles. Only the additions to lo round. Both kernels know the
 * sum of the magnitudes of the products, so that the bounds below do not suffer from cancellation.
 */

/** Unit roundoff of binary64. */
const U = 2 ** -53;
/** A factor that covers every (1+u)^(ck) that the bounds leave out, for k up to {@link MAX_TERMS}. */
const SLACK = 1 + 2 ** -20;
/** The longest inner product for which the bounds are proved. */
export const MAX_TERMS = 2 ** 24;

/** The results of the kernels: entry j − j0 for column j, and one spare entry. */
interface DoubleDoubleSums {
  readonly hi: Float64Array;
  readonly lo: Float64Array;
  /** The sum of the magnitudes of the products, or a bound on it. */
  readonly magnitude: Float64Array;
}

/** Allocates pairs for `width` columns. */
export function pairsFor(width: number): DoubleDoubleSums {
  return {
    hi: new Float64Array(width + 1),
    lo: new Float64Array(width + 1),
    magnitude: new Float64Array(width + 1),
  };
}

/**
 * Sums row `ai` of A against columns j0 ≤ j < j1 of B, if every product of two entries is exact in a double. It sums two columns at a
 * time, since a single one would wait for its own additions.
 *
 * As in {@link AnchorWindow}, hi starts at an anchor, takes of each product what its spacing holds, and lo takes the remainders. The
 * anchor is 3·P for a power of two P above the sum of the magnitudes, so hi stays between 2·P and 4·P, where its spacing is 2^-51·P.
 * @param pairs `magnitude` holds P for each column: see {@link anchorWriter}.
 */
export function sumExactProducts(
  a: Float64Array,
  ai: number,
  bt: Float64Array,
  k: number,
  j0: number,
  j1: number,
  { hi, lo, magnitude }: DoubleDoubleSums,
): void {
  for (let j = j0; j < j1; j += 2) {
    const at = j - j0;
    const b0 = j * k;
    const b1 = j + 1 < j1 ? b0 + k : b0;
    const anchor0 = 3 * magnitude[at];
    const anchor1 = 3 * magnitude[j + 1 < j1 ? at + 1 : at];
    let hi0 = anchor0;
    let lo0 = 0;
    let hi1 = anchor1;
    let lo1 = 0;
    for (let t = 0; t < k; t++) {
      const x = a[ai + t];
      const p0 = x * bt[b0 + t];
      const s0 = hi0 + p0;
      lo0 += p0 - (s0 - hi0);
      hi0 = s0;
      const p1 = x * bt[b1 + t];
      const s1 = hi1 + p1;
      lo1 += p1 - (s1 - hi1);
      hi1 = s1;
    }
    hi[at] = hi0 - anchor0;
    lo[at] = lo0;
    hi[at + 1] = hi1 - anchor1;
    lo[at + 1] = lo1;
  }
}

/**
 * Returns a bound on abs(a·b − (hi + lo)) of {@link sumExactProducts}.
 *
 * A remainder is at most half the spacing of hi, 2u·P, so abs(loₜ) is at most t times that, and the rounding of loₜ at most u·abs(loₜ):
 * together 2u²·P·k(k+1)/2. It is 0 if lo never rounds: all terms are multiples of `unit`, and lo is exact as long as 2k·u·P ≤ 2^53·unit.
 * @param unit a power of two.
 */
export function exactProductsBound(k: number, magnitude: number, unit: number): number {
  const loAtMost = 2 * k * U * magnitude * SLACK;
  return loAtMost <= 2 ** 53 * unit ? 0 : loAtMost * U * ((k + 1) / 2) * SLACK;
}

/** Returns the upper 26 bits of x, rounded; x minus the result fits 26 bits too (Veltkamp; Dekker 1971). */
export function upperHalf(x: number): number {
  const c = 134217729 * x;
  return c - (c - x);
}

/**
 * Sums row `ai` of A against columns j0 ≤ j < j1 of B, with each product split as p̂ₜ + eₜ exactly (Dekker 1971). It adds p̂ₜ to hi by
 * Knuth's TwoSum (TAOCP 2, §4.2.2), which gives the error of that addition exactly, and adds both errors to lo.
 * @param aUpper {@link upperHalf} of the row. @param btUpper the same of columns j0 … j1, column j at (j−j0)·k.
 */
export function sumSplitProducts(
  a: Float64Array,
  ai: number,
  aUpper: Float64Array,
  bt: Float64Array,
  btUpper: Float64Array,
  k: number,
  j0: number,
  j1: number,
  { hi, lo, magnitude }: DoubleDoubleSums,
): void {
  for (let j = j0; j < j1; j++) {
    const b0 = j * k;
    const h0 = (j - j0) * k;
    let hiSum = 0;
    let loSum = 0;
    let abs = 0;
    for (let t = 0; t < k; t++) {
      const x = a[ai + t];
      const xh = aUpper[t];
      const xl = x - xh;
      const y = bt[b0 + t];
      const yh = btUpper[h0 + t];
      const yl = y - yh;
      const p = x * y;
      const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);
      const s = hiSum + p;
      const z = s - hiSum;
      loSum += hiSum - (s - z) + (p - z) + e;
      hiSum = s;
      abs += Math.abs(p);
    }
    hi[j - j0] = hiSum;
    lo[j - j0] = loSum;
    magnitude[j - j0] = abs;
  }
}

/**
 * Returns a bound on abs(a·b − (hi + lo)) of {@link sumSplitProducts}.
 *
 * abs(hiₜ) ≤ (1+u)ᵗ·M with M = Σ abs(p̂ₜ), so each TwoSum error is at most u·M·(1+u)ᵏ. With eₜ, at most u·abs(p̂ₜ), added first, it is at
 * most u·M + u·abs(p̂ₜ) and rounds once, all of them by at most u²·M·(k+1); abs(loₜ) ≤ (t+1)·u·M, whose roundings add u²·M·(k(k+1)/2 +
 * k). Together u²·M·(k²+5k+2)/2 < u²·M·(k+2)(k+3)/2. It is 0 if neither rounds: (k+1)·u·M ≤ 2^53·unit.
 * @param unit a power of two of which all terms are multiples.
 */
export function splitProductsBound(k: number, magnitude: number, unit: number): number {
  const loAtMost = (k + 1) * U * magnitude * SLACK;
  if (loAtMost <= 2 ** 53 * unit) return 0;
  return U * U * magnitude * (((k + 2) * (k + 3)) / 2) * SLACK;
}

/**
 * Returns an exponent E with Σ abs(exact products) ≤ 2^E, from the computed `magnitude` > 0. Rounding takes at most the factor {@link
 * SLACK} from it, and it is below 2^(exponent + 1).
 */
export function magnitudeExponent(magnitude: number): number {
  return exponentOf(magnitude) + 2;
}

/**
 * True if every real number within `bound` of value + rest rounds to value, where value + rest is the exact sum of two doubles and value
 * its rounding. Rounding is monotonic, so the two ends decide. They are moved outwards by more than the rounding errors of their own
 * computation.
 */
export function roundsAlike(value: number, rest: number, bound: number): boolean {
  if (bound === 0) return true;
  const reach = bound * (1 + 2 ** -50) + Math.abs(rest) * 2 ** -51;
  return value + (rest + reach) === value && value + (rest - reach) === value;
}

/** Error-free sums and products of two doubles, as two doubles. */

/** Returns x + y as the exact sum of two doubles (Knuth). */
export function addExactly(x: number, y: number): readonly [number, number] {
  const sum = x + y;
  const back = sum - x;
  return [sum, x - (sum - back) + (y - back)];
}

const SPLITTER = 2 ** 27 + 1;

/** Returns x·y as the exact sum of two doubles (Veltkamp, Dekker). */
export function multiplyExactly(x: number, y: number): readonly [number, number] {
  const product = x * y;
  const [x1, x2] = split(x);
  const [y1, y2] = split(y);
  return [product, x2 * y2 - (product - x1 * y1 - x2 * y1 - x1 * y2)];
}

function split(x: number): readonly [number, number] {
  const scaled = SPLITTER * x;
  const high = scaled - (scaled - x);
  return [high, x - high];
}
