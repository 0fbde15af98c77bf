/**
 * Operations on doubles, rounded down: the result is at most the exact one, and equal to it where that is a double. Rounding up is
 * rounding down of the opposite number.
 */

const U = 2 ** -53;
const PHI = U * (1 + 2 * U);
const LEAST = 2 ** -1074;

/**
 * Returns a double below x, at most two doubles away. Source: Rump, Zimmermann, Boldo, Melquiond, *Computing predecessor and successor
 * in rounding to nearest*, BIT 49, 2009.
 */
export const below = (x: number): number =>
  x === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : x - (PHI * Math.abs(x) + LEAST);

/** Returns a double above x, at most two doubles away. */
export const above = (x: number): number => -below(-x);

/** Returns a rounded number, or one below it where the exact number is smaller by `lost` > 0. */
const downBy = (rounded: number, lost: number): number => (lost > 0 ? below(rounded) : rounded);

/** Returns a + b, rounded down; an infinite term decides (Knuth's TwoSum gives the error). */
export function addDown(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return Number.isFinite(a) && Number.isFinite(b) && sum > 0 ? below(sum) : sum;
  const part = sum - a;
  return downBy(sum, -(a - (sum - part) + (b - part)));
}

export const addUp = (a: number, b: number): number => -addDown(-a, -b);

/** Factors and products within these limits have an exact rounding error: Dekker 1971. */
const [LARGEST, SMALLEST] = [2 ** 995, 2 ** -960];

const upperHalf = (x: number): number => {
  const c = 134217729 * x;
  return c - (c - x);
};

/** True if {@link lostBy} is exact for a product of these factors. */
const isSplit = (a: number, b: number, product: number): boolean =>
  Math.abs(a) < LARGEST &&
  Math.abs(b) < LARGEST &&
  Math.abs(product) > SMALLEST &&
  Math.abs(product) < LARGEST;

/** Returns a·b − product. */
export function lostBy(a: number, b: number, product: number): number {
  const [ah, bh] = [upperHalf(a), upperHalf(b)];
  const [al, bl] = [a - ah, b - bh];
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}

/** Returns a·b, rounded down; 0 times infinity is 0, as of ends of intervals. NaN stays: such an interval has no number. */
export function multiplyDown(a: number, b: number): number {
  if (a === 0 || b === 0) return Number.isNaN(a + b) ? Number.NaN : 0;
  const product = a * b;
  if (isSplit(a, b, product)) return downBy(product, -lostBy(a, b, product));
  return Number.isFinite(a) && Number.isFinite(b) ? below(product) : product;
}

export const multiplyUp = (a: number, b: number): number => -multiplyDown(-a, b);

/** Returns a/b for b ≠ 0, rounded down; a number divided by an infinite one is 0. */
export function divideDown(a: number, b: number): number {
  if (a === 0 || !Number.isFinite(b)) return Number.isFinite(a) ? 0 : Math.sign(a) * Math.sign(b) * Infinity;
  const quotient = a / b;
  const product = quotient * b;
  if (!isSplit(quotient, b, product) || Math.abs(a) < SMALLEST)
    return Number.isFinite(a) ? below(quotient) : quotient;
  const rest = a - product - lostBy(quotient, b, product);
  return downBy(quotient, -rest * Math.sign(b));
}

export const divideUp = (a: number, b: number): number => -divideDown(-a, b);
