import { exponentOf } from '../base/binary64.ts';
import { roundingTo, roundSum } from '../base/rounding.ts';
import type { OperandArithmetic, Rounding } from './arithmetic.ts';
import { bf16, type Format, f16, f32, f64, inParts, tf32 } from './format.ts';

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

/** The formats in which a kernel may keep and add the sums of parts of k. */
const known = { bf16, f16, tf32, f32, f64 };
export type PartialFormat = keyof typeof known;
export const partialFormats = Object.keys(known) as readonly PartialFormat[];

/** The claims about the sums of parts: the format in which they are kept, and the one in which they are added. */
export interface PartialSums {
  readonly format: PartialFormat;
  /** @defaultValue as other sums are added */
  readonly added?: PartialFormat | undefined;
}

/** The formats to which the sum of each part, and each sum of parts, are rounded to nearest. */
export interface PartialRounding {
  readonly kept: Format;
  /** Undefined where sums of parts are rounded like all other sums. */
  readonly added?: Format | undefined;
}

/** Returns the formats of claimed partial sums; undefined where none is claimed. */
export const partialRoundingOf = (claimed: PartialSums | undefined): PartialRounding | undefined =>
  claimed && { kept: known[claimed.format], added: claimed.added && known[claimed.added] };

/** Returns the formats to which partial sums are rounded. */
export const formatsOfParts = (partial: PartialRounding | undefined): readonly Format[] =>
  [partial?.kept, partial?.added].filter((format) => format !== undefined);
