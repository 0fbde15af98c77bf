import { unitRoundoffOf } from '../precision/device-errors.ts';
import { type Format, f32, isWholeFormat } from '../precision/format.ts';
import type { Computation } from '../precision/precision.ts';

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

/** The numbers from `lo` to `hi`; both ends are NaN where only NaN is possible. */
export interface Interval<T = number> {
  readonly lo: T;
  readonly hi: T;
  /** True if NaN is possible too. */
  readonly nan?: true;
}

/** The interval of NaN alone. */
export const onlyNaN: Interval = { lo: Number.NaN, hi: Number.NaN, nan: true };

/** True if an interval has no number. */
export const isOnlyNaN = ({ lo }: Interval): boolean => Number.isNaN(lo);

/** Returns the smallest interval with all numbers of two; an interval of NaN alone adds none. */
export function hull(x: Interval, y: Interval): Interval {
  const nan = x.nan ?? y.nan;
  const [one, other] = isOnlyNaN(x) ? [y, y] : isOnlyNaN(y) ? [x, x] : [x, y];
  const [lo, hi] = [Math.min(one.lo, other.lo), Math.max(one.hi, other.hi)];
  return nan === undefined ? { lo, hi } : { lo, hi, nan };
}

/** Returns the largest magnitude of an interval. */
export const sizeOf = ({ lo, hi }: Interval): number => Math.max(Math.abs(lo), Math.abs(hi));

/** Interval arithmetic, in doubles for judgments and in decimals for values that are shown. Every result encloses the exact ones. */
export interface Reals<T> {
  /** Returns an interval of a double alone. */
  of(x: number): Interval<T>;
  /** Returns the smallest interval with all numbers of two. */
  hull(x: Interval<T>, y: Interval<T>): Interval<T>;
  /** Returns the larger, and the smaller, of two numbers. */
  max(x: Interval<T>, y: Interval<T>): Interval<T>;
  min(x: Interval<T>, y: Interval<T>): Interval<T>;
  add(x: Interval<T>, y: Interval<T>): Interval<T>;
  multiply(x: Interval<T>, y: Interval<T>): Interval<T>;
  /** Divides by an interval without 0. */
  divide(x: Interval<T>, y: Interval<T>): Interval<T>;
  exp(x: Interval<T>): Interval<T>;
  tanh(x: Interval<T>): Interval<T>;
  /** Returns Φ(x), the cumulative distribution function of the standard normal distribution: (1 + erf(x/√2))/2. */
  normalCdf(x: Interval<T>): Interval<T>;
  /** Returns √(2/π). */
  rootOfTwoOverPi(): Interval<T>;
  /** Applies a function of doubles that never decreases, such as a rounding to a format. */
  rounded(x: Interval<T>, round: (x: number) => number): Interval<T>;
}

/** The arithmetic of an epilogue: sums are converted to its format, and every operation is rounded to it. */
export interface EpilogueArithmetic {
  readonly format: Format;
  /** The largest relative error of one operation. */
  readonly unit: number;
  /** True if operations round to nearest. */
  readonly isNearest: boolean;
}

/** Returns the arithmetic of an epilogue: that of sums, or binary32 where sums are whole numbers. */
export function arithmeticOf(computation: Computation): EpilogueArithmetic {
  const { accumulated } = computation.precision;
  if (isWholeFormat(accumulated)) return { format: f32, unit: f32.unitRoundoff, isNearest: true };
  const isNearest =
    computation.arithmetic.rounding === 'nearest' && accumulated.unitRoundoff === 2 ** -accumulated.precision;
  return { format: accumulated, unit: unitRoundoffOf(computation), isNearest };
}

/** Returns γ(c) = cu/(1 − cu), which bounds the relative error of c operations (Higham, 2002, Lemma 3.1). */
export const gamma = (count: number, { unit }: Pick<EpilogueArithmetic, 'unit'>): number =>
  count * unit < 0.5 ? (count * unit) / (1 - count * unit) : Number.POSITIVE_INFINITY;

/**
 * Encloses numbers and their roundings: those of one operation, or of none where it is fused with the next. Numbers of the format keep
 * their values. Subnormal ones may become 0.
 */
export function withRoundings(x: Interval, { format, unit, isNearest }: EpilogueArithmetic): Interval {
  if (isOnlyNaN(x)) return x;
  const end = (end: number, down: boolean): number => {
    const rounded = format.round(end);
    if (rounded === end) return end;
    if (isNearest) return rounded;
    const reach = unit * Math.abs(end) + format.minSubnormal;
    return down ? below(end - reach) : above(end + reach);
  };
  const wide = hull(x, { lo: end(x.lo, true), hi: end(x.hi, false) });
  const { minNormal } = format;
  const mayFlush = (wide.lo > 0 && wide.lo < minNormal) || (wide.hi < 0 && wide.hi > -minNormal);
  return mayFlush ? hull(wide, { lo: 0, hi: 0 }) : wide;
}
