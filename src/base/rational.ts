/** An exact fraction in lowest terms, its denominator positive. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

/** Returns num/den, reduced. @throws RangeError if `den` is zero */
export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
  const [p, q] = [BigInt(num), BigInt(den)];
  if (q === 0n) throw new RangeError('The denominator of a fraction cannot be zero.');
  const divisor = gcd(p, q) * (q < 0n ? -1n : 1n);
  return { num: p / divisor, den: q / divisor };
}

export const addRationals = (x: Rational, y: Rational): Rational =>
  rational(x.num * y.den + y.num * x.den, x.den * y.den);

export const subtractRationals = (x: Rational, y: Rational): Rational =>
  rational(x.num * y.den - y.num * x.den, x.den * y.den);

export const multiplyRationals = (x: Rational, y: Rational): Rational =>
  rational(x.num * y.num, x.den * y.den);

/** Returns x / y. @throws RangeError if `y` is zero */
export const divideRationals = (x: Rational, y: Rational): Rational => rational(x.num * y.den, x.den * y.num);

export const equalRationals = (x: Rational, y: Rational): boolean => x.num === y.num && x.den === y.den;

/** Returns the fraction as a double: exact where the denominator is a power of two and 53 bits hold the numerator. */
export const toNumber = (x: Rational): number => Number(x.num) / Number(x.den);

/** Returns x·10^digits rounded to a whole number, halves away from zero, as fixed-point text. */
export function toFixed(x: Rational, digits: number): string {
  const scaled = multiplyRationals(x, rational(10n ** BigInt(digits)));
  const magnitude = scaled.num < 0n ? -scaled.num : scaled.num;
  const text = String((2n * magnitude + scaled.den) / (2n * scaled.den)).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return scaled.num < 0n && /[1-9]/.test(whole) ? `-${whole}` : whole;
}

function gcd(x: bigint, y: bigint): bigint {
  let [a, b] = [x < 0n ? -x : x, y < 0n ? -y : y];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
