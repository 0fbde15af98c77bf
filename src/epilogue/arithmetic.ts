import { unitRoundoffOf } from '../precision/device-errors.ts';
import { type Format, f32, isWholeFormat } from '../precision/format.ts';
import type { Computation } from '../precision/precision.ts';
import { above, below } from './directed.ts';
import { hull, type Interval, isOnlyNaN } from './interval.ts';

/** The arithmetic of an epilogue: sums are converted to its format, and every operation is rounded to it. */
export interface EpilogueArithmetic {
  readonly format: Format;
  /** The largest relative error of one operation. */
  readonly unit: number;
  /** True if operations round to nearest. */
  readonly isNearest: boolean;
}

/** Returns the arithmetic of an epilogue: that of sums, or binary32 where sums are whole numbers. */
export function arithmeticOf(computation: Computation): EpilogueArithmetic {
  const { accumulated } = computation.precision;
  if (isWholeFormat(accumulated)) return { format: f32, unit: f32.unitRoundoff, isNearest: true };
  const isNearest =
    computation.arithmetic.rounding === 'nearest' && accumulated.unitRoundoff === 2 ** -accumulated.precision;
  return { format: accumulated, unit: unitRoundoffOf(computation), isNearest };
}

/** Returns γ(c) = cu/(1 − cu), which bounds the relative error of c operations (Higham, 2002, Lemma 3.1). */
export const gamma = (count: number, { unit }: Pick<EpilogueArithmetic, 'unit'>): number =>
  count * unit < 0.5 ? (count * unit) / (1 - count * unit) : Number.POSITIVE_INFINITY;

/**
 * Encloses numbers and their roundings: those of one operation, or of none where it is fused with the next. Numbers of the format keep
 * their values. Subnormal ones may become 0.
 */
export function withRoundings(x: Interval, { format, unit, isNearest }: EpilogueArithmetic): Interval {
  if (isOnlyNaN(x)) return x;
  const end = (end: number, down: boolean): number => {
    const rounded = format.round(end);
    if (rounded === end) return end;
    if (isNearest) return rounded;
    const reach = unit * Math.abs(end) + format.minSubnormal;
    return down ? below(end - reach) : above(end + reach);
  };
  const wide = hull(x, { lo: end(x.lo, true), hi: end(x.hi, false) });
  const { minNormal } = format;
  const mayFlush = (wide.lo > 0 && wide.lo < minNormal) || (wide.hi < 0 && wide.hi > -minNormal);
  return mayFlush ? hull(wide, { lo: 0, hi: 0 }) : wide;
}
