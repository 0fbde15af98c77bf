import { above, addDown, addUp, below, divideDown, divideUp, multiplyDown, multiplyUp } from './directed.ts';
import {
  CENTRAL_MARGIN,
  centralProbability,
  density,
  EXP_RANGE,
  exp,
  MARGIN,
  MOST_TAIL,
  TAIL,
  tailBounds,
  tanh,
} from './double-functions.ts';
import { hull, type Interval } from './interval.ts';
import type { Reals } from './reals.ts';

/** Returns an interval, marked where NaN is possible in it. */
const marked = (lo: number, hi: number, nan: boolean): Interval => (nan ? { lo, hi, nan } : { lo, hi });

const hasZero = ({ lo, hi }: Interval): boolean => lo <= 0 && hi >= 0;
const hasInfinity = ({ lo, hi }: Interval): boolean => lo === -Infinity || hi === Infinity;
const mayBeNaN = (x: Interval, y: Interval): boolean => x.nan === true || y.nan === true;

/** Encloses a positive number, given with a relative error of at most `margin`. */
const around = (x: number, margin = MARGIN): Interval => ({
  lo: Math.max(0, below(x - x * margin)),
  hi: above(x + x * margin),
});

function expAt(x: number): Interval {
  if (x === 0) return { lo: 1, hi: 1 };
  if (x > EXP_RANGE.most) return { lo: x === Infinity ? x : 2 ** 1022, hi: Infinity };
  if (x < EXP_RANGE.least) return { lo: 0, hi: x === -Infinity ? 0 : 2 ** -1020 };
  return around(exp(x));
}

function tanhAt(x: number): Interval {
  if (x === 0) return { lo: 0, hi: 0 };
  if (x < 0) return negated(tanhAt(-x));
  const { lo, hi } = around(tanh(x));
  return { lo: Math.min(lo, 1), hi: Math.min(hi, 1) };
}

/** Encloses 1 − Φ(x) for x ≥ 0. */
function tailAt(x: number): Interval {
  if (x === Infinity) return { lo: 0, hi: 0 };
  if (x > MOST_TAIL) return { lo: 0, hi: tailAt(MOST_TAIL).hi };
  if (x >= TAIL) {
    const [least, most] = tailBounds(x);
    const of = density(x);
    return hull(around(of * least, 2 * MARGIN), around(of * most, 2 * MARGIN));
  }
  const rest = 0.5 - centralProbability(x);
  return { lo: rest - CENTRAL_MARGIN, hi: rest + CENTRAL_MARGIN };
}

const cdfAt = (x: number): Interval =>
  x === 0
    ? { lo: 0.5, hi: 0.5 }
    : x < 0
      ? tailAt(-x)
      : doubleReals.add(doubleReals.of(1), negated(tailAt(x)));

const negated = ({ lo, hi }: Interval): Interval => ({ lo: -hi, hi: -lo });

const ROOT = 0.7978845608028654;

/** Encloses the values of a function that never decreases. */
const growing =
  (at: (x: number) => Interval) =>
  ({ lo, hi, nan }: Interval): Interval =>
    marked(at(lo).lo, at(hi).hi, nan === true);

/**
 * Interval arithmetic in doubles. Sums, products and quotients have ends rounded outwards, and exact ones where these are doubles.
 * Functions are within {@link MARGIN} of exact ones, and Φ below {@link TAIL} within {@link CENTRAL_MARGIN}, absolutely. Infinite ends
 * stand for infinities: sums and products that they leave undefined may be NaN.
 */
export const doubleReals: Reals<number> = {
  of: (x) => ({ lo: x, hi: x }),
  hull,
  max: (x, y) => marked(Math.max(x.lo, y.lo), Math.max(x.hi, y.hi), mayBeNaN(x, y)),
  min: (x, y) => marked(Math.min(x.lo, y.lo), Math.min(x.hi, y.hi), mayBeNaN(x, y)),
  add(x, y) {
    const isUndefined = (a: number, b: number) => a === -b && Math.abs(a) === Infinity;
    const nan = mayBeNaN(x, y) || isUndefined(x.lo, y.hi) || isUndefined(x.hi, y.lo);
    const lo = isUndefined(x.lo, y.lo) ? -Infinity : addDown(x.lo, y.lo);
    const hi = isUndefined(x.hi, y.hi) ? Infinity : addUp(x.hi, y.hi);
    return marked(lo, hi, nan);
  },
  multiply(x, y) {
    const nan = mayBeNaN(x, y) || (hasZero(x) && hasInfinity(y)) || (hasZero(y) && hasInfinity(x));
    const lo = Math.min(
      ...[multiplyDown(x.lo, y.lo), multiplyDown(x.lo, y.hi), multiplyDown(x.hi, y.lo)],
      multiplyDown(x.hi, y.hi),
    );
    const hi = Math.max(
      ...[multiplyUp(x.lo, y.lo), multiplyUp(x.lo, y.hi), multiplyUp(x.hi, y.lo)],
      multiplyUp(x.hi, y.hi),
    );
    return marked(lo, hi, nan);
  },
  divide(x, y) {
    const nan = mayBeNaN(x, y) || (hasInfinity(x) && hasInfinity(y));
    const lo = Math.min(
      ...[divideDown(x.lo, y.lo), divideDown(x.lo, y.hi), divideDown(x.hi, y.lo)],
      divideDown(x.hi, y.hi),
    );
    const hi = Math.max(
      ...[divideUp(x.lo, y.lo), divideUp(x.lo, y.hi), divideUp(x.hi, y.lo)],
      divideUp(x.hi, y.hi),
    );
    return marked(lo, hi, nan);
  },
  exp: growing(expAt),
  tanh: growing(tanhAt),
  normalCdf: growing(cdfAt),
  rootOfTwoOverPi: () => ({ lo: below(ROOT), hi: above(ROOT) }),
  rounded: ({ lo, hi, nan }, round) => marked(round(lo), round(hi), nan === true),
};
