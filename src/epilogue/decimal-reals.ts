import { Decimal } from 'decimal.js';
import { lowestBit } from '../base/binary64.ts';
import type { Interval, Reals } from './interval.ts';

type Ends = Interval<Decimal>;

/** The largest exponent of decimal.js. */
const LARGEST_EXPONENT = 9e15;

/** From this argument on, tails of the normal distribution come from their continued fraction. */
const TAIL = 4;

/** Returns the double nearest to a decimal, or its neighbor whose last bit is odd: roundings of it are those of the decimal. */
export function doubleToOdd(x: Decimal): number {
  const nearest = Number(x.toString());
  if (nearest === 0 || !Number.isFinite(nearest)) return x.isZero() ? 0 : nearest || x.s * 2 ** -1074;
  const side = x.cmp(digitsOf(nearest));
  words[0] = nearest;
  if (side === 0 || bits[0] % 2n === 1n) return nearest;
  bits[0] += side > 0 === nearest > 0 ? 1n : -1n;
  return words[0];
}

/** Returns all digits of a finite double N·2^e: below 1 they are those of N·5^−e. */
export function digitsOf(x: number): string {
  if (x === 0) return '0';
  const e = lowestBit(x);
  // 2^−1074 alone is a double.
  const whole = BigInt(e < -1000 ? x * 2 ** 1000 * 2 ** (-e - 1000) : e > 1000 ? x / 2 ** e : x * 2 ** -e);
  return e >= 0 ? String(whole * 2n ** BigInt(e)) : `${whole * 5n ** BigInt(-e)}e${e}`;
}

const words = new Float64Array(1);
const bits = new BigUint64Array(words.buffer);

/** Returns interval arithmetic in decimals of a number of digits. Ends are rounded outwards; functions are enclosed as in doubles. */
export function decimalReals(digits: number): Reals<Decimal> {
  const of = (rounding: Decimal.Rounding) =>
    Decimal.clone({ precision: digits, rounding, maxE: LARGEST_EXPONENT, minE: -LARGEST_EXPONENT });
  const [Down, Up] = [of(Decimal.ROUND_FLOOR), of(Decimal.ROUND_CEIL)];
  const point = (x: Decimal.Value): Ends => ({ lo: new Down(x), hi: new Down(x) });
  const least = (...all: Decimal[]) => all.reduce((x, y) => (y.lt(x) ? y : x));
  const most = (...all: Decimal[]) => all.reduce((x, y) => (y.gt(x) ? y : x));
  const corners = (x: Ends, y: Ends, down: (a: Decimal, b: Decimal) => Decimal, up: typeof down): Ends => {
    const pairs = [x.lo, x.hi].flatMap((a) => [y.lo, y.hi].map((b) => [a, b] as const));
    return { lo: least(...pairs.map(([a, b]) => down(a, b))), hi: most(...pairs.map(([a, b]) => up(a, b))) };
  };
  const one = point(1);
  const negated = ({ lo, hi }: Ends): Ends => ({ lo: hi.neg(), hi: lo.neg() });
  const add = (x: Ends, y: Ends): Ends => ({ lo: Down.add(x.lo, y.lo), hi: Up.add(x.hi, y.hi) });
  const multiply = (x: Ends, y: Ends) => corners(x, y, Down.mul.bind(Down), Up.mul.bind(Up));
  const divide = (x: Ends, y: Ends) => corners(x, y, Down.div.bind(Down), Up.div.bind(Up));
  // What underflows is 0 in decimals too.
  const notZero = (x: Decimal) => (x.isZero() ? new Up(`1e${-LARGEST_EXPONENT}`) : x);
  const exp = ({ lo, hi }: Ends): Ends => ({ lo: Down.exp(lo), hi: notZero(Up.exp(hi)) });
  const negative = (x: Decimal) => x.isNegative() && !x.isZero();
  function tanhAt(x: Decimal): Ends {
    if (negative(x)) return negated(tanhAt(x.neg()));
    const t = exp(multiply(point(-2), point(x)));
    return divide(add(one, negated(t)), add(one, t));
  }
  const root = ({ lo, hi }: Ends): Ends => ({ lo: Down.sqrt(lo), hi: Up.sqrt(hi) });
  let known: Ends | undefined;
  const rootOfTwoOverPi = () => {
    known ??= root(divide(point(2), { lo: Down.acos(-1), hi: Up.acos(-1) }));
    return known;
  };
  const densityAt = (x: Decimal): Ends =>
    multiply(exp(divide(multiply(point(x), point(x)), point(-2))), divide(rootOfTwoOverPi(), point(2)));
  /** Encloses 1 − Φ(x) for x ≥ 0, by the series or by the continued fraction of doubles. */
  function tailAt(x: Decimal): Ends {
    if (x.lt(TAIL)) return add(point(0.5), negated(multiply(densityAt(x), seriesAt(x))));
    const terms = Math.ceil(digits / 2 + ((1.2 * digits) / Math.min(Number(x), 1e3)) ** 2);
    const convergent = (last: number) => {
      let rest = point(x);
      for (let n = last; n >= 1; n--) rest = add(point(x), divide(point(n), rest));
      return divide(one, rest);
    };
    const [a, b] = [convergent(terms), convergent(terms + 1)];
    return multiply(densityAt(x), { lo: least(a.lo, b.lo), hi: most(a.hi, b.hi) });
  }
  /** Encloses x + x³/3 + x⁵/(3·5) + …; once terms halve, the rest is less than the last. */
  function seriesAt(x: Decimal): Ends {
    const square = multiply(point(x), point(x));
    let [term, sum] = [point(x), point(x)];
    for (let n = 3; !term.hi.isZero(); n += 2) {
      term = divide(multiply(term, square), point(n));
      sum = add(sum, term);
      if (n > 2 * TAIL * TAIL && term.hi.lt(sum.lo.times(`1e-${digits}`))) break;
    }
    return { lo: sum.lo, hi: Up.add(sum.hi, term.hi) };
  }
  const cdfAt = (x: Decimal): Ends => (negative(x) ? tailAt(x.neg()) : add(one, negated(tailAt(x))));
  const growing =
    (at: (x: Decimal) => Ends) =>
    ({ lo, hi }: Ends): Ends => ({ lo: at(lo).lo, hi: at(hi).hi });
  return {
    of: (x) => point(digitsOf(x)),
    hull: (x, y) => ({ lo: least(x.lo, y.lo), hi: most(x.hi, y.hi) }),
    max: (x, y) => ({ lo: most(x.lo, y.lo), hi: most(x.hi, y.hi) }),
    min: (x, y) => ({ lo: least(x.lo, y.lo), hi: least(x.hi, y.hi) }),
    ...{ add, multiply, divide, exp },
    tanh: growing(tanhAt),
    normalCdf: growing(cdfAt),
    rootOfTwoOverPi,
    rounded: ({ lo, hi }, round) => ({
      lo: new Down(digitsOf(round(doubleToOdd(lo)))),
      hi: new Down(digitsOf(round(doubleToOdd(hi)))),
    }),
  };
}
