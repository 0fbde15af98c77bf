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
