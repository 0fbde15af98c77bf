import { exponentOf, lowestBit } from '../base/binary64.ts';
import type { ZeroPointPlace } from '../precision/arithmetic.ts';
import type { BlockScale, Coding, Operand } from '../precision/coding/coding.ts';
import { type Format, f32 } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';

/** What entries of an operand can be. */
export interface Side {
  readonly of: Operand;
  /** Of entries as kernels get them: elements, less their zero points, where they are coded. */
  readonly format: Format;
  readonly coding?: Coding | undefined;
  /**
   * What stands for 0, where elements have zero points: the middle of their range; 0 itself where these are claimed to be subtracted from
   * sums, which lose what questions ask.
   */
  readonly zero: number;
  /** Whether its numbers are so few that questions are put with care. */
  readonly isFew: boolean;
}

/** Formats of more bits hold what questions ask, but for the exponents of binary16. */
const FEW = 8;
/** Exponents of factors and of wide entries that questions use, so that binary32 holds what they stand for. */
const FAR = 60;

/** What entries of an operand of a precision can be. */
function sideOf(precision: Precision, of: Operand, zeroPoints: ZeroPointPlace): Side {
  const coding = precision.coded?.[of];
  const stored = coding?.element ?? precision[of];
  const isFew = coding !== undefined || (stored.code !== undefined && stored.code.bits <= FEW);
  if (coding?.zero === undefined || zeroPoints === 'last')
    return { of, format: stored, coding, zero: 0, isFew };
  const zero = middleOf(stored);
  return { of, format: centred(stored, zero), coding, zero, isFew };
}

/** The zero point that leaves as many numbers below as above it. */
export const middleOf = ({ precision }: Format): number => 2 ** (precision - 1);

/** Whole numbers from 0 on, less the one in their middle. */
function centred(format: Format, zero: number): Format {
  const round = (x: number) => format.round(x + zero) - zero;
  const maxFinite = zero - 1;
  return { ...format, precision: format.precision - 1, maxFinite, minNormal: zero / 2, round };
}

/** Exponents, both ends included. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

/** Whether a format holds multiples of one unit: it has one exponent of normal numbers alone. */
export const isWhole = ({ maxFinite, minNormal }: Format): boolean => maxFinite < 2 * minNormal;

/**
 * The exponents e at which an entry holds the odd number `odd` times 2^e, without a factor; undefined where it holds it at none.
 * @param low whether numbers may be subnormal.
 */
export function spanOf({ format, isFew }: Side, odd: number, low: 'normal' | 'any'): Span | undefined {
  const size = exponentOf(odd);
  if (!isFew) return { least: -FAR - size, most: FAR - size };
  const { minSubnormal, minNormal, maxFinite, round } = format;
  const unit = exponentOf(minSubnormal);
  const least = low === 'any' || isWhole(format) ? unit : Math.max(unit, exponentOf(minNormal) - size);
  let most = exponentOf(maxFinite) - size;
  if (Math.abs(odd) * 2 ** most > maxFinite) most--;
  const isHeld = most >= least && round(odd * 2 ** most) === odd * 2 ** most;
  return isHeld ? { least, most } : undefined;
}

/** The exponents of the powers of two that a block's first factor can be. */
export function factorSpan({ coding }: Side): Span {
  if (coding === undefined) return { least: 0, most: 0 };
  const { minNormal, maxFinite } = coding.scales[0].format;
  return {
    least: Math.max(-FAR, exponentOf(minNormal)),
    most: Math.min(FAR, exponentOf(maxFinite)),
  };
}

/** A number as an odd one and a power of two. */
export function oddOf(x: number): readonly [odd: number, exponent: number] {
  const exponent = lowestBit(x);
  return [x / 2 ** exponent, exponent];
}

/** How far apart powers of two can be that are products of entries of two sides, with the factors of blocks or without. */
export function reachIn(sides: readonly Side[], by?: 'factors'): number {
  return sides.reduce((sum, side) => {
    const { least, most } = spanOf(side, 1, 'any') ?? { least: 0, most: 0 };
    const factors = by === undefined ? 0 : factorSpan(side).most - factorSpan(side).least;
    return sum + most - least + factors;
  }, 0);
}

/** The blocks along k that a term of its own may stand in: the longest of both sides; undefined where a side has one for all of k. */
export function blockAlong(sides: readonly Side[]): number | undefined {
  const lengths = sides.flatMap(({ coding }) => (coding === undefined ? [] : [coding.scales[0].entries]));
  const longest = Math.max(0, ...lengths);
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

/** Whether lines of an operand share factors: then what one line holds is told of others. */
export const sharesLines = ({ coding }: Side): boolean => (coding?.scales[0].lines ?? 1) > 1;

/** Whether entries may be below zero. */
export const isSigned = ({ format }: Pick<Side, 'format'>): boolean =>
  format.round(-format.maxFinite) === -format.maxFinite;

/** The number that a factor is where nothing is to be scaled. */
export const UNSCALED = 1;

/** A factor near a number: the nearest above zero. */
export const factorNear = (x: number, { format }: BlockScale): number =>
  Math.min(Math.max(format.round(x), format.minNormal), format.maxFinite);

/** The significant bits of the numbers of sides, of those that have the fewest. */
export const bitsOf = (sides: readonly Side[]): number =>
  Math.min(...sides.map(({ format }) => format.precision));

/**
 * The significant bits of the numbers that products are to be made of: of operands that are rounded to what is multiplied, and of
 * elements where both are of few bits.
 */
export const multipliedBits = (precision: Precision): number =>
  isFewOnly(precision) ? bitsOf(sidesOf(precision)) : precision.multiplied.precision;

/** Whether entries of both operands are of few bits. */
export const isFewOnly = (precision: Precision): boolean => sidesOf(precision).every(({ isFew }) => isFew);

/** What entries of A and of B can be. */
export const sidesOf = (
  precision: Precision,
  zeroPoints: ZeroPointPlace = 'first',
): readonly [Side, Side] => [sideOf(precision, 'a', zeroPoints), sideOf(precision, 'b', zeroPoints)];

/** Whether an entry is this number, infinities and NaN included. */
export function isHeld(x: number, { format, isFew }: Side): boolean {
  if (Number.isFinite(x)) return format.round(x) === x;
  const { code } = format;
  if (!isFew || code === undefined) return true;
  return Array.from({ length: 2 ** code.bits }, (_, pattern) => code.decode(pattern)).some((one) =>
    Object.is(one, x),
  );
}

/** In words: "elements of e4m3", "entries of binary32". */
export const nameOf = ({ coding, format }: Side): string =>
  coding === undefined
    ? `entries of ${format === f32 ? 'binary32' : format.name}`
    : `elements of ${format.name}`;

/** Both in words, once where they are the same; in the beginning of a sentence. */
export function namesOf(sides: readonly Side[]): string {
  const text = [...new Set(sides.map(nameOf))].join(' and ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
