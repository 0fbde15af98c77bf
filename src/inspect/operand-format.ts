import { exponentOf, lowestBit } from '../base/binary64.ts';
import type { ZeroPointPlace } from '../precision/arithmetic.ts';
import type { BlockScale, Coding, Operand } from '../precision/coding/coding.ts';
import { type Format, f32, holdsZero } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';

/** The numbers that entries of an operand can be. */
export interface OperandFormat {
  readonly of: Operand;
  /** Format of the entries as kernels get them. Where they are coded, it is that of elements minus their zero points. */
  readonly format: Format;
  readonly coding?: Coding | undefined;
  /**
   * The element that stands for 0, where elements have zero points: the middle of their range. It is 0 where zero points are claimed to be
   * subtracted from sums, since that would lose the bits that questions measure.
   */
  readonly zero: number;
  /** True if the format has so few numbers that questions must choose them with care. */
  readonly isFew: boolean;
}

/** Most bits of a format with few numbers. Wider formats hold all numbers that questions use, except for the exponents of binary16. */
const FEW = 8;
/** Largest exponent of factors and wide entries that questions use, so that binary32 holds their products. */
const FAR = 60;

/** Returns the numbers that entries of an operand of a precision can be. */
function sideOf(precision: Precision, of: Operand, zeroPoints: ZeroPointPlace): OperandFormat {
  const coding = precision.coded?.[of];
  const stored = coding?.element ?? precision[of];
  const isFew = coding !== undefined || (stored.code !== undefined && stored.code.bits <= FEW);
  if (coding?.zero === undefined || zeroPoints === 'last')
    return { of, format: stored, coding, zero: 0, isFew };
  const zero = middleOf(stored);
  return { of, format: centered(stored, zero), coding, zero, isFew };
}

/** Returns the zero point with as many numbers below as above it. */
export const middleOf = ({ precision }: Format): number => 2 ** (precision - 1);

/** Returns the format of whole numbers from 0 on, shifted by the one in their middle. */
function centered(format: Format, zero: number): Format {
  const round = (x: number) => format.round(x + zero) - zero;
  const maxFinite = zero - 1;
  return { ...format, precision: format.precision - 1, maxFinite, minNormal: zero / 2, round };
}

/** A range of exponents, both ends included. */
export interface ExponentSpan {
  readonly least: number;
  readonly most: number;
}

/** True if a format holds multiples of one unit: its normal numbers have a single exponent. */
export const hasSingleUnit = ({ maxFinite, minNormal }: Format): boolean => maxFinite < 2 * minNormal;

/**
 * Returns the exponents e at which an entry holds the odd number `odd` times 2^e, without a factor; undefined where there are none.
 * @param low whether numbers may be subnormal.
 */
export function spanOf(
  { format, isFew }: OperandFormat,
  odd: number,
  low: 'normal' | 'any',
): ExponentSpan | undefined {
  const size = exponentOf(odd);
  if (!isFew) return { least: -FAR - size, most: FAR - size };
  const { minSubnormal, minNormal, maxFinite, round, numbers } = format;
  if (numbers !== undefined) {
    const at = numbers.map((x) => Math.log2(x / odd)).find(Number.isInteger);
    return at === undefined ? undefined : { least: at, most: at };
  }
  const unit = exponentOf(minSubnormal);
  const least = low === 'any' || hasSingleUnit(format) ? unit : Math.max(unit, exponentOf(minNormal) - size);
  let most = exponentOf(maxFinite) - size;
  if (Math.abs(odd) * 2 ** most > maxFinite) most--;
  const isHeld = most >= least && round(odd * 2 ** most) === odd * 2 ** most;
  return isHeld ? { least, most } : undefined;
}

/** Returns the exponents of the powers of two that the first factor of a block can be. */
export function factorSpan({ coding }: OperandFormat): ExponentSpan {
  if (coding === undefined) return { least: 0, most: 0 };
  const { minNormal, maxFinite } = coding.scales[0].format;
  return {
    least: Math.max(-FAR, exponentOf(minNormal)),
    most: Math.min(FAR, exponentOf(maxFinite)),
  };
}

/** Splits a number into an odd one and a power of two. */
export function oddOf(x: number): readonly [odd: number, exponent: number] {
  const exponent = lowestBit(x);
  return [x / 2 ** exponent, exponent];
}

/** Returns the largest distance of powers of two that are products of entries of both operands, with or without the factors of blocks. */
export function reachIn(sides: readonly OperandFormat[], by?: 'factors'): number {
  return sides.reduce((sum, side) => {
    const { least, most } = spanOf(side, 1, 'any') ?? { least: 0, most: 0 };
    const factors = by === undefined ? 0 : factorSpan(side).most - factorSpan(side).least;
    return sum + most - least + factors;
  }, 0);
}

/**
 * Returns the length of a block along k that can hold one term alone: the longer of both operands' blocks. Undefined where an operand has
 * one block for all of k.
 */
export function blockAlong(sides: readonly OperandFormat[]): number | undefined {
  const lengths = sides.flatMap(({ coding }) => (coding === undefined ? [] : [coding.scales[0].entries]));
  const longest = Math.max(0, ...lengths);
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

/** True if lines of an operand share factors. Then the numbers of one line constrain the others. */
export const sharesLines = ({ coding }: OperandFormat): boolean => (coding?.scales[0].lines ?? 1) > 1;

/** True if entries may be negative. */
export const isSigned = ({ format }: Pick<OperandFormat, 'format'>): boolean =>
  format.round(-format.maxFinite) === -format.maxFinite;

/** Returns a number, and for 0 in a format without it, the least positive number: it suffices where the other operand is 0. */
export const orFiller = (x: number, format: Format): number =>
  x === 0 && !holdsZero(format) ? format.minSubnormal : x;

/** The factor that scales nothing. */
export const UNSCALED = 1;

/** Returns the factor nearest to a number, above zero. */
export const factorNear = (x: number, { format }: BlockScale): number =>
  Math.min(Math.max(format.round(x), format.minNormal), format.maxFinite);

/** Returns the fewest significant bits among the operands' formats. */
export const fewestBits = (sides: readonly OperandFormat[]): number =>
  Math.min(...sides.map(({ format }) => format.precision));

/**
 * Returns the significant bits of the numbers that are multiplied: of operands as they are rounded, or of elements where both operands are
 * of few bits.
 */
export const multipliedBits = (precision: Precision): number =>
  isFewOnly(precision) ? fewestBits(sidesOf(precision)) : precision.multiplied.precision;

/** True if entries of both operands are of few bits. */
export const isFewOnly = (precision: Precision): boolean => sidesOf(precision).every(({ isFew }) => isFew);

/** Returns the numbers that entries of A and of B can be. */
export const sidesOf = (
  precision: Precision,
  zeroPoints: ZeroPointPlace = 'first',
): readonly [OperandFormat, OperandFormat] => [
  sideOf(precision, 'a', zeroPoints),
  sideOf(precision, 'b', zeroPoints),
];

/** True if an entry can be this number, infinities and NaN included. */
export function isRepresentable(x: number, { format, isFew }: OperandFormat): boolean {
  if (Number.isFinite(x)) return format.round(x) === x;
  const { code } = format;
  if (!isFew || code === undefined) return true;
  return Array.from({ length: 2 ** code.bits }, (_, pattern) => code.decode(pattern)).some((one) =>
    Object.is(one, x),
  );
}

/** Describes an operand's entries: "elements of e4m3", "entries of binary32". */
export const describeOperand = ({ coding, format }: OperandFormat): string =>
  coding === undefined
    ? `entries of ${format === f32 ? 'binary32' : format.name}`
    : `elements of ${format.name}`;

/** Describes both operands, once where they are the same, for the beginning of a sentence. */
export function describeOperands(sides: readonly OperandFormat[]): string {
  const text = [...new Set(sides.map(describeOperand))].join(' and ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
