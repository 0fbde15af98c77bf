import { exponentOf } from '../../base/binary64.ts';
import { makeNumbers } from '../../base/numbers.ts';
import type { Code, Encoding } from '../coding/code.ts';
import { notStored, unseededRounding } from '../messages.ts';

/** The bits of a floating-point number. */
export interface FloatBits {
  readonly name: string;
  /** True if the first bit is a sign. @defaultValue true */
  readonly signed?: boolean;
  readonly exponentBits: number;
  readonly fractionBits: number;
  /** The bias, which is subtracted from the bits of the exponent. */
  readonly bias: number;
  readonly specials: SpecialPatterns;
}

/**
 * The patterns that are not finite numbers. `ieee`: those whose exponent is all ones are infinities and NaN; `one-nan`: the pattern of
 * all ones is NaN, with either sign; `fnuz`: the pattern of the negative zero is NaN; `none`: there are none.
 */
type SpecialPatterns = 'ieee' | 'one-nan' | 'fnuz' | 'none';

/** The special patterns of magnitudes, without sign. */
interface Patterns {
  /** The pattern of the largest finite number. */
  readonly largest: number;
  readonly infinity?: number | undefined;
  /** The pattern to which NaN is encoded. */
  readonly nan?: number | undefined;
}

/** Returns the special patterns of a format. NaN is the positive quiet one without payload. */
export function patternsOf({ exponentBits, fractionBits, specials }: FloatBits): Patterns {
  const ones = 2 ** (exponentBits + fractionBits) - 1;
  const infinity = (2 ** exponentBits - 1) * 2 ** fractionBits;
  switch (specials) {
    case 'ieee':
      return { largest: infinity - 1, infinity, nan: infinity + 2 ** (fractionBits - 1) };
    case 'one-nan':
      return { largest: ones - 1, nan: ones };
    case 'fnuz':
      return { largest: ones, nan: ones + 1 };
    case 'none':
      return { largest: ones };
  }
}

/** Returns the magnitude of a pattern without sign that is not special. */
export function magnitudeOf(pattern: number, { fractionBits, bias }: FloatBits): number {
  const exponent = Math.floor(pattern / 2 ** fractionBits);
  const fraction = pattern % 2 ** fractionBits;
  const unit = 2 ** (Math.max(exponent, 1) - bias - fractionBits);
  return (exponent === 0 ? fraction : 2 ** fractionBits + fraction) * unit;
}

/**
 * Returns the code of a floating-point format: sign, exponent, fraction; subnormal numbers below the smallest exponent. A number that
 * rounds beyond the largest one, with an unbounded exponent range, becomes infinity, or NaN if there is none. If conversions saturate,
 * it becomes the largest number, and infinities too (OCP OFP8 1.0; the Cast of ONNX for the others). A format with neither always
 * saturates, and refuses NaN, which OCP MX 1.0, §6.3, leaves to implementations. Numbers below 0 in a format without signs become NaN,
 * or 0 if it has none.
 * Cost of encoding: about 15 ns.
 * @throws ParanoiaError `not-stored` from `encode` for NaN if there is none.
 */
export function floatCode(bits: FloatBits): Code {
  const { name, signed = true, exponentBits, fractionBits, bias, specials } = bits;
  const { largest, infinity, nan } = patternsOf(bits);
  const width = exponentBits + fractionBits;
  const sign = signed ? 2 ** width : 0;
  const least = 1 - bias;
  const perUnit = makeNumbers(2 ** exponentBits, (at) => 2 ** (fractionBits - least - at));
  const noNumber = (): number => {
    if (nan === undefined) throw notStored({ what: 'NaN', format: name });
    return nan;
  };
  const beyond = (isNegative: boolean, how: Encoding): number => {
    const saturates = how.overflow === 'saturate' || (infinity ?? nan) === undefined;
    if (saturates) return largest + (isNegative ? sign : 0);
    return infinity === undefined ? noNumber() : infinity + (isNegative ? sign : 0);
  };
  return {
    bits: width + (signed ? 1 : 0),
    decode(pattern) {
      const isNegative = signed && pattern >= sign;
      const rest = isNegative ? pattern - sign : pattern;
      if (specials === 'fnuz' ? pattern === nan : rest > largest)
        return rest === infinity ? (isNegative ? -1 : 1) * Number.POSITIVE_INFINITY : Number.NaN;
      const size = magnitudeOf(rest, bits);
      return isNegative ? -size : size;
    },
    encode(x, how = {}) {
      if (Number.isNaN(x)) return noNumber();
      const isNegative = x < 0 || Object.is(x, -0);
      if (isNegative && !signed) return x === 0 || nan === undefined ? 0 : nan;
      const size = Math.abs(x);
      if (size === Number.POSITIVE_INFINITY) return beyond(isNegative, how);
      const exponent = size === 0 ? least : Math.max(exponentOf(size), least);
      if (exponent - least >= perUnit.length)
        return staysFinite(isNegative, how) ? largest + (isNegative ? sign : 0) : beyond(isNegative, how);
      const units = size * perUnit[exponent - least];
      const whole = Math.floor(units);
      const up = roundsUp(whole, units - whole, isNegative, how) ? 1 : 0;
      // An implicit leading bit adds one to the exponent; so does a carry.
      const pattern = (exponent - least) * 2 ** fractionBits + whole + up;
      if (pattern > largest)
        return staysFinite(isNegative, how) ? largest + (isNegative ? sign : 0) : beyond(isNegative, how);
      return pattern + (isNegative && !(specials === 'fnuz' && pattern === 0) ? sign : 0);
    },
  };
}

/**
 * True if a magnitude of `whole` + `rest` units, 0 ≤ rest < 1, rounds to `whole` + 1. Ties of `nearest` go to the even number;
 * `stochastic` goes up with probability `rest`, so that its mean is the exact value.
 * @throws ParanoiaError `unseeded-rounding` for `stochastic` without random numbers: its results could not be repeated.
 */
export function roundsUp(whole: number, rest: number, isNegative: boolean, how: Encoding): boolean {
  const { rounding = 'nearest', random } = how;
  if (rounding === 'stochastic' && random === undefined) throw unseededRounding();
  if (rest === 0) return false;
  if (rounding === 'nearest') return rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
  if (rounding === 'nearest-away') return rest >= 0.5;
  if (random !== undefined && rounding === 'stochastic') return random() < rest;
  return rounding === 'up' ? !isNegative : rounding === 'down' && isNegative;
}

/**
 * True if a finite number beyond the largest one stays finite: IEEE 754-2019, §7.4, rounds it to the largest one if the direction of
 * rounding is not away from it.
 */
export const staysFinite = (isNegative: boolean, { rounding = 'nearest' }: Encoding): boolean =>
  rounding === 'toward-zero' || rounding === (isNegative ? 'up' : 'down');
