import { multiplyRationals, type Rational, rational, toNumber } from '../base/rational.ts';

/** Most bits of the numerators and denominators of coefficients. */
const BITS = 11;
/**
 * Most bits of the numerators and denominators of products of coefficients: two fused levels have twice as many. The doubles of such
 * fractions are distinct.
 */
const MOST_BITS = 26;

/**
 * Returns the fraction of a coefficient: the double itself where 26 bits hold its numerator, else the simplest fraction with that nearest
 * double, 1/3 for 0.3333333333333333.
 */
export function coefficientFraction(x: number): Rational {
  const own = fractionOfDouble(x);
  if (own.den === 1n || hasBits(own.num, MOST_BITS)) return own;
  for (const near of convergents(own)) if (toNumber(near) === x) return near;
  return own;
}

/** True if a number is a coefficient: a dyadic number that every format holds, or a fraction p/q with |p| and q below 2^11. */
export function isCoefficient(x: number): boolean {
  return isDyadic(x) || (Number.isFinite(x) && isSmall(coefficientFraction(x)));
}

/** True if numerator and denominator are below 2^11. */
export const isSmall = ({ num, den }: Rational): boolean => hasBits(num, BITS) && hasBits(den, BITS);

/**
 * Returns the number of roundings of a multiplication by a coefficient, without underflow: none for a power of two, one for another dyadic
 * number. Other fractions such as 1/3 take two: that of the coefficient and that of the product. A division by 3 takes fewer.
 */
export function roundingsBy(coefficient: number): 0 | 1 | 2 {
  if (isExactFactor(coefficient)) return 0;
  return isDyadic(coefficient) ? 1 : 2;
}

/** Multiplies two coefficients. */
export function multiplyCoefficients(x: number, y: number): number {
  const product = x * y;
  return isDyadic(x) && isDyadic(y)
    ? product
    : toNumber(multiplyRationals(coefficientFraction(x), coefficientFraction(y)));
}

/** Reads `1/2`, `0.5` or `-2/3` as a number. NaN for anything else. */
export function parseFactor(text: string): number {
  const [, num, den = '1'] = /^(-?\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text) ?? [];
  return num === undefined ? Number.NaN : Number(num) / Number(den);
}

/** Formats a coefficient in the notation of schedules: `3`, `1/2`, `-2/3`. */
export function factorText(factor: number): string {
  const { num, den } = coefficientFraction(factor);
  return den === 1n ? String(factor) : `${num}/${den}`;
}

/** Converts a finite double to a fraction. */
export function fractionOfDouble(x: number): Rational {
  let [whole, den] = [x, 1n];
  for (; !Number.isInteger(whole); whole *= 2) den *= 2n;
  return rational(BigInt(whole), den);
}

/** Yields the best approximations of a fraction by its continued fraction, the simplest first. Their terms have at most 26 bits. */
export function* convergents(x: Rational): Generator<Rational> {
  const sign = x.num < 0n ? -1n : 1n;
  let [above, below] = [sign * x.num, x.den];
  let [last, next] = [
    { num: 0n, den: 1n },
    { num: 1n, den: 0n },
  ];
  while (below !== 0n) {
    const whole = above / below;
    [last, next] = [next, { num: whole * next.num + last.num, den: whole * next.den + last.den }];
    if (!hasBits(next.num, MOST_BITS) || !hasBits(next.den, MOST_BITS)) return;
    yield rational(sign * next.num, next.den);
    [above, below] = [below, above % below];
  }
}

const hasBits = (x: bigint, bits: number): boolean => (x < 0n ? -x : x) < 1n << BigInt(bits);

/** Most significant bits of a factor: those of binary16, the narrowest accumulation format. */
const SIGNIFICAND_BITS = 11;
/** Largest binary exponent of factors: 2^-EXPONENTS to 2^EXPONENTS, so that every format holds them. */
const EXPONENTS = 14;

/** True if a number is a dyadic rational p·2^q that every format of the tool holds exactly: |p| < 2^11, 2^-14 to 2^14. */
export function isDyadic(x: number): boolean {
  if (x === 0) return true;
  const size = Math.abs(x);
  if (!(size >= 2 ** -EXPONENTS && size <= 2 ** EXPONENTS)) return false;
  const exponent = Math.floor(Math.log2(size));
  return Number.isInteger(size * 2 ** (SIGNIFICAND_BITS - 1 - exponent));
}

/** True if a multiplication by a number rounds nothing, underflow and overflow aside. */
function isExactFactor(x: number): boolean {
  const size = Math.abs(x);
  return size > 0 && 2 ** Math.round(Math.log2(size)) === size;
}
