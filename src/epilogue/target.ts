import type { GemmChain } from '../matrix/gemm.ts';
import type { ResultArithmetic } from '../precision/arithmetic.ts';
import { roundingIn } from '../precision/claimed-rounding.ts';
import { type CodedFormat, type Format, f32, isWholeFormat } from '../precision/format.ts';
import { roundsUp } from '../precision/formats/float-code.ts';
import { formats } from '../precision/formats/formats.ts';
import type { Precision } from '../precision/precision.ts';
import { type Interval, isOnlyNaN, onlyNaN } from './interval.ts';

/** A rule that says which results are right, given the values that the last step may have had. */
export interface Target {
  /** Its name in messages, such as "int8". */
  readonly name: string;
  /** The result of an exact value. */
  result(x: number): number;
  /** The least and the greatest right result; `nan` is set where NaN is right too. */
  range(x: Interval): Interval;
  /** True if a result is right. */
  accepts(x: Interval, found: number): boolean;
  /** Returns the number of codes from a result to the nearest right one; undefined for a result without a code. */
  steps?(x: Interval, found: number): number | undefined;
}

/** True if a result lies in a range of right ones. */
const isWithin = ({ lo, hi, nan }: Interval, found: number): boolean =>
  Number.isNaN(found) ? nan === true : found >= lo && found <= hi;

/**
 * Returns the range of a rounding that never decreases. Where an end has no number, the largest one takes its place, and NaN is right
 * too; where both ends have none on the same side, only NaN is.
 */
function rangeOf(round: (x: number) => number, most: number, x: Interval): Interval {
  if (isOnlyNaN(x)) return onlyNaN;
  const [lo, hi] = [round(x.lo), round(x.hi)];
  if (Number.isNaN(lo) && Number.isNaN(hi) && x.lo > 0 === x.hi > 0) return onlyNaN;
  const nan = x.nan === true || Number.isNaN(lo) || Number.isNaN(hi);
  const ends = { lo: Number.isNaN(lo) ? -most : lo, hi: Number.isNaN(hi) ? most : hi };
  return nan ? { ...ends, nan } : ends;
}

/**
 * Returns the rule of results that are rounded to a format. With roundings to either neighbor, both are right.
 * @param how the claimed rounding. @defaultValue to nearest, beyond the largest number infinity or NaN
 */
export function formatTarget(
  format: Format,
  { rounding = 'nearest', overflow }: ResultArithmetic = {},
): Target {
  const { maxFinite, unitRoundoff, minSubnormal } = format;
  const { round } = roundingIn(format, rounding);
  const result = (x: number) =>
    overflow === 'saturate' && Math.abs(x) > maxFinite ? Math.sign(x) * maxFinite : round(x);
  const isEither = rounding === 'faithful' || rounding === 'stochastic';
  const reach = (x: number) =>
    isEither && Number.isFinite(x) && round(x) !== x ? 2 * unitRoundoff * Math.abs(x) + minSubnormal : 0;
  const range = (x: Interval) => {
    const wide = { ...x, lo: x.lo - reach(x.lo), hi: x.hi + reach(x.hi) };
    // A subnormal result may be flushed.
    const { lo, hi, nan } = rangeOf(result, maxFinite, wide);
    const isTiny =
      !isWholeFormat(format) && (lo > 0 ? lo < format.minNormal : hi < 0 && hi > -format.minNormal);
    const all = isTiny ? { lo: Math.min(0, lo), hi: Math.max(0, hi) } : { lo, hi };
    return nan ? { ...all, nan } : all;
  };
  return { name: format.name, result, range, accepts: (x, found) => isWithin(range(x), found) };
}

/** Returns the format of D: that of its codes; behind other steps binary32 where products are whole numbers. */
export function resultFormatOf(
  chain: GemmChain | undefined,
  { d }: Pick<Precision, 'd'>,
): Pick<Format, 'round' | 'name'> & Partial<Pick<Format, 'native'>> {
  if (chain?.codes !== undefined) return formats.find(chain.codes);
  return chain !== undefined && isWholeFormat(d) ? f32 : d;
}

/** The ways in which requantization rounds, ties of `nearest` to even. */
export const codeRoundings = ['nearest', 'nearest-away', 'toward-zero'] as const;

/** The codes of numbers beyond the range: the nearest end; the last bits, for whole numbers; infinity, or NaN where there is none. */
export const codeOverflows = ['saturate', 'wraps', 'special'] as const;

/** The conversion of numbers to codes. */
export interface CodeConversion {
  /** One of those that can be claimed, or that of a mistake. */
  readonly rounding: (typeof codeRoundings)[number] | 'down';
  readonly overflow: (typeof codeOverflows)[number];
  /** The code of 0. */
  readonly zeroPoint: number;
}

/**
 * Returns the rule of codes that are whole numbers: q = round(x) + zero point, then saturated or cut to the last bits. It promises nothing
 * for NaN, which whole numbers lack.
 */
export function wholeTarget(
  { name, code, maxFinite, holds }: CodedFormat,
  { rounding, overflow, zeroPoint }: CodeConversion,
): Target {
  const count = 2 ** code.bits;
  const least = holds.negative ? -count / 2 : 0;
  const rounded = (x: number) => {
    const [size, whole] = [Math.abs(x), Math.floor(Math.abs(x))];
    const up = Number.isFinite(x) && roundsUp(whole, size - whole, x < 0, { rounding });
    return Math.sign(x) * (whole + (up ? 1 : 0)) + zeroPoint;
  };
  const saturated = (q: number) => Math.max(least, Math.min(maxFinite, q)) + 0;
  const wrapped = (q: number) => q - count * Math.floor((q - least) / count);
  const isCode = (found: number) => Number.isInteger(found) && found >= least && found <= maxFinite;
  /** Returns the number of whole numbers from a code to those that a value may become, beyond the range too. */
  const distance = (x: Interval, found: number): number => {
    if (x.nan === true || isOnlyNaN(x)) return 0;
    const [lo, hi] = [rounded(x.lo), rounded(x.hi)];
    if (overflow === 'saturate') {
      const [from, to] = [saturated(lo), saturated(hi)];
      return Math.max(0, from - found, found - to);
    }
    if (!(hi - lo < count - 1)) return 0;
    const up = wrapped(found) - wrapped(lo);
    const ahead = up < 0 ? up + count : up;
    return ahead <= hi - lo ? 0 : Math.min(ahead - (hi - lo), count - ahead);
  };
  return {
    name,
    result: (x) =>
      Number.isNaN(x) ? x : overflow === 'saturate' ? saturated(rounded(x)) : wrapped(rounded(x)),
    range(x) {
      const all = { lo: least, hi: maxFinite };
      if (x.nan === true || isOnlyNaN(x)) return all;
      const [lo, hi] = [rounded(x.lo), rounded(x.hi)];
      if (overflow === 'saturate') return { lo: saturated(lo), hi: saturated(hi) };
      const isWhole = hi - lo < count - 1 && wrapped(lo) <= wrapped(hi);
      return isWhole ? { lo: wrapped(lo), hi: wrapped(hi) } : all;
    },
    accepts: (x, found) => isCode(found) && distance(x, found) === 0,
    steps: (x, found) => (isCode(found) ? distance(x, found) : undefined),
  };
}

/** Returns the rule of codes of floating-point numbers of few bits. */
export function floatTarget(
  { name, code, maxFinite }: CodedFormat,
  { rounding, overflow }: CodeConversion,
): Target {
  const how = { rounding, overflow: overflow === 'saturate' ? overflow : 'special' } as const;
  const result = (x: number) => code.decode(code.encode(x, how));
  const range = (x: Interval) => rangeOf(result, maxFinite, x);
  const sign = 2 ** (code.bits - 1);
  /** The place of a finite number among those of the format. */
  const place = (x: number) => Math.sign(x) * (code.encode(Math.abs(x)) % sign);
  return {
    ...{ name, result, range },
    accepts: (x, found) => isWithin(range(x), found),
    steps(x, found) {
      const { lo, hi, nan } = range(x);
      if (isWithin({ lo, hi, ...(nan ? { nan } : {}) }, found)) return 0;
      if (![lo, hi, found].every(Number.isFinite) || result(found) !== found) return undefined;
      return Math.max(place(lo) - place(found), place(found) - place(hi));
    },
  };
}
