import type { GemmChain } from '../matrix/gemm.ts';
import type { ResultArithmetic } from '../precision/arithmetic.ts';
import { roundingIn } from '../precision/claimed-rounding.ts';
import { type Format, f32, isWholeFormat } from '../precision/format.ts';
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
export const isWithin = ({ lo, hi, nan }: Interval, found: number): boolean =>
  Number.isNaN(found) ? nan === true : found >= lo && found <= hi;

/**
 * Returns the range of a rounding that never decreases. Where an end has no number, the largest one takes its place, and NaN is right
 * too; where both ends have none on the same side, only NaN is.
 */
export function rangeOf(round: (x: number) => number, most: number, x: Interval): Interval {
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
