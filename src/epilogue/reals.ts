import type { Interval } from './interval.ts';

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
