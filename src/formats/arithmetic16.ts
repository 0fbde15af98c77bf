import type { Arithmetic } from './arithmetic.ts';
import { f16 } from './format.ts';
import { roundSum } from './rounding.ts';

/** The magnitude below which a binary16 result is flushed, by when the device looks at it: see `TINY` for binary32. */
export const TINY16 = {
  beforeRounding: f16.minNormal,
  afterRounding: f16.minNormal * (1 - 2 ** -12),
  afterDenormalising: f16.minNormal * (1 - 2 ** -11),
} as const;

/** + × and fma on doubles that hold binary16 values; the results hold binary16 values too. */
export interface Operations16 {
  add(a: number, b: number): number;
  mul(a: number, b: number): number;
  fma(a: number, b: number, c: number): number;
}

/**
 * The binary16 operations of a device, repeated on the CPU. Sums and products of two binary16 numbers are exact in
 * double, so that one rounding is left; fma's sum is not always, hence {@link roundSum}.
 */
export function arithmetic16({
  fused,
  flushesOperands,
  flushesBelow,
}: Pick<Arithmetic, 'fused' | 'flushesOperands' | 'flushesBelow'>): Operations16 {
  const least = flushesOperands ? f16.minNormal : 0;
  const operand = (x: number): number => (Math.abs(x) < least ? x * 0 : x);
  const round = (x: number): number => (Math.abs(x) < flushesBelow ? x * 0 : f16.round(x));
  const add = (a: number, b: number): number => round(operand(a) + operand(b));
  const mul = (a: number, b: number): number => round(operand(a) * operand(b));
  return {
    add,
    mul,
    fma: fused
      ? (a, b, c) => roundSum(operand(a) * operand(b), operand(c), round)
      : (a, b, c) => round(mul(a, b) + operand(c)),
  };
}
