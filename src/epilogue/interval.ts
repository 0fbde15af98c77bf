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
