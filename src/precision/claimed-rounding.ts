import { exponentOf } from '../base/binary64.ts';
import { roundingTo, roundSum } from '../base/rounding.ts';
import type { OperandArithmetic, Rounding } from './arithmetic.ts';
import { type Format, inParts } from './format.ts';

/** The most bits that are rounded here; more are left to double itself. */
const WIDEST = 50;

/** The rounding of doubles, and of their sums, once each. */
export interface RoundedSums {
  round(x: number): number;
  add(a: number, b: number): number;
}

/** Returns the rounding to a format, or to `bits` bits with its exponents. */
export function roundingIn(format: Format, rounding: Rounding, bits = format.precision): RoundedSums {
  if (bits > WIDEST) return { round: (x) => x, add: (a, b) => a + b };
  const least = exponentOf(format.minNormal);
  const nearest = bits === format.precision ? format.round : roundingTo(bits, least, format.maxFinite);
  const round = rounding === 'toward-zero' ? truncateToBits(bits, least, format.maxFinite) : nearest;
  return { round, add: (a, b) => roundSum(a, b, round) };
}

/** Returns the rounding of an operand to the multiplied format, part by part if the format has parts. */
export function operandIn(
  format: Format,
  { rounding = 'nearest', subnormals }: OperandArithmetic = {},
): (x: number) => number {
  const { of, count } = format.split ?? { of: format, count: 1 };
  const { round } = roundingIn(of, rounding);
  const least = subnormals === 'flushed' ? of.minNormal : 0;
  return inParts((x) => (Math.abs(x) < least ? x * 0 : round(x)), count);
}

/** Returns the truncation of doubles to `bits` bits, with the exponent of the smallest normal number `least`. */
export function truncateToBits(bits: number, least: number, maxFinite: number): (x: number) => number {
  return (x) => {
    const size = Math.abs(x);
    if (size === 0 || !(size < Number.POSITIVE_INFINITY)) return x;
    const last = 2 ** (Math.max(exponentOf(size), least) - bits + 1);
    return size > maxFinite ? Math.sign(x) * maxFinite : Math.trunc(x / last) * last;
  };
}
