import {
  above,
  addDown,
  addUp,
  below,
  divideDown,
  divideUp,
  hull,
  type Interval,
  lostBy,
  multiplyDown,
  multiplyUp,
  type Reals,
} from './interval.ts';

/** The largest relative error of {@link exp}, {@link tanh} and {@link density} of doubles: 16 units in the last place. */
const MARGIN = 2 ** -48;

/** The largest absolute error of {@link centralProbability}. */
const CENTRAL_MARGIN = 2 ** -49;

/** ln 2 in two parts; products of the first with whole numbers below 2^11 are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** The limits beyond which e^x is no normal double. */
const EXP_RANGE = { most: 709, least: -708 } as const;

/**
 * Returns e^x for x in {@link EXP_RANGE}: 2^k·e^r with abs(r) ≤ ln(2)/2, and 14 terms of the series of e^r, which leave out less than
 * 2^-57 of it.
 */
function exp(x: number): number {
  const k = Math.round(x / Math.LN2);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 13; n >= 1; n--) sum = 1 + (r / n) * sum;
  // 2^1024 alone is no double.
  return sum * 2 ** Math.floor(k / 2) * 2 ** Math.ceil(k / 2);
}

/** Returns tanh(x) for x ≥ 0: E/(E + 2) with E = e^2x − 1, by its series where 2x ≤ 1, else (1 − e^-2x)/(1 + e^-2x). */
function tanh(x: number): number {
  if (x > 0.5) {
    const t = x > 300 ? 0 : exp(-2 * x);
    return (1 - t) / (1 + t);
  }
  const z = 2 * x;
  let sum = 1;
  for (let n = 22; n >= 2; n--) sum = 1 + (z / n) * sum;
  const grown = z * sum;
  return grown / (grown + 2);
}

/** 1/√(2π). */
const NORMAL = 0.3989422804014327;

/** The argument from which {@link tailBounds} of the normal distribution converge in few terms. */
const TAIL = 2;

/** The limit beyond which the density of the normal distribution is no normal double. */
const MOST_TAIL = 37;

/** Returns the density of the standard normal distribution at 0 ≤ x ≤ {@link MOST_TAIL}; x² is split, so that its error does not grow. */
function density(x: number): number {
  const square = x * x;
  return NORMAL * exp(-square / 2) * (1 - lostBy(x, x, square) / 2);
}

/**
 * Returns Φ(x) − 1/2 for 0 ≤ x ≤ {@link TAIL}: φ(x)·(x + x³/3 + x⁵/(3·5) + …), all terms positive. Source: Abramowitz and Stegun,
 * *Handbook of Mathematical Functions*, 26.2.11.
 */
function centralProbability(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 3; term > sum * 2 ** -56; n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return density(x) * sum;
}

/**
 * Returns two numbers around (1 − Φ(x))/φ(x) for x ≥ {@link TAIL}, up to rounding: convergents of the continued fraction 1/(x + 1/(x +
 * 2/(x + 3/(x + …)))), which lie on alternate sides. Source: Abramowitz and Stegun, 26.2.14.
 */
function tailBounds(x: number): [number, number] {
  const terms = 12 + Math.ceil(200 / (x * x));
  const convergent = (last: number) => {
    let rest = x;
    for (let n = last; n >= 1; n--) rest = x + n / rest;
    return 1 / rest;
  };
  const [one, other] = [convergent(terms), convergent(terms + 1)];
  return one < other ? [one, other] : [other, one];
}

/** Returns an interval, marked where NaN is possible in it. */
const marked = (lo: number, hi: number, nan: boolean): Interval => (nan ? { lo, hi, nan } : { lo, hi });

const hasZero = ({ lo, hi }: Interval): boolean => lo <= 0 && hi >= 0;
const hasInfinity = ({ lo, hi }: Interval): boolean => lo === -Infinity || hi === Infinity;
const mayBeNaN = (x: Interval, y: Interval): boolean => x.nan === true || y.nan === true;

/** Returns the results of an operation for all ends of two intervals. */
const corners = (of: (a: number, b: number) => number, x: Interval, y: Interval): number[] => [
  of(x.lo, y.lo),
  of(x.lo, y.hi),
  of(x.hi, y.lo),
  of(x.hi, y.hi),
];

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
    return marked(Math.min(...corners(multiplyDown, x, y)), Math.max(...corners(multiplyUp, x, y)), nan);
  },
  divide(x, y) {
    const nan = mayBeNaN(x, y) || (hasInfinity(x) && hasInfinity(y));
    return marked(Math.min(...corners(divideDown, x, y)), Math.max(...corners(divideUp, x, y)), nan);
  },
  exp: growing(expAt),
  tanh: growing(tanhAt),
  normalCdf: growing(cdfAt),
  rootOfTwoOverPi: () => ({ lo: below(ROOT), hi: above(ROOT) }),
  rounded: ({ lo, hi, nan }, round) => marked(round(lo), round(hi), nan === true),
};
