import { UNITS } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { alphaAt, type Convention, enteringErrorOf } from '../readers/convention.ts';

/** The special values that finite numbers may be when they are multiplied. */
export interface MayBecome {
  /** True if an entry other than zero may become zero: it is flushed, or underflows when it is rounded. */
  readonly zero: (entry: number) => boolean;
  /** True if an entry may become an infinity of its sign. */
  readonly infinite: (entry: number) => boolean;
  /** True if alpha or beta may be flushed to zero. */
  readonly zeroFactor: (factor: number) => boolean;
}

/**
 * What rounding operands, flushing subnormal numbers and multiplying entries by alpha first may make of a finite number: zero times
 * infinity is NaN then, and so is what became infinite times zero.
 */
export function mayBecome(machine: Computation, alpha: number, convention: Convention = {}): MayBecome {
  const { arithmetic, precision } = machine;
  const { minNormal, minSubnormal, maxFinite } = precision.accumulated;
  const { subnormals, rounding } = arithmetic;
  const isFlushed = subnormals === 'either' || (typeof subnormals === 'object' && subnormals.operands);
  const least = isFlushed ? minNormal : 0;
  const below = typeof subnormals === 'object' ? subnormals.below : 0;
  const lost = (minSubnormal / 2) * UNITS[rounding];
  const operand = enteringErrorOf(machine, convention);
  const isLost = (x: number) =>
    Math.abs(x) < least ||
    Math.abs(x) <= lost ||
    (operand !== undefined && !operand.keeps(x) && Math.abs(x) <= operand.absolute);
  const isBeyond = (x: number) =>
    Math.abs(x) > maxFinite ||
    (operand !== undefined && !operand.keeps(x) && Math.abs(x) >= operand.overflows);
  // Entries may be multiplied by alpha before they are rounded, or after, but where sums are.
  const isScaled = alpha !== 1 && alphaAt(convention) !== 'last';
  return {
    zero: (x) => x !== 0 && (isLost(x) || (isScaled && (isLost(alpha * x) || Math.abs(alpha * x) < below))),
    infinite: (x) => isBeyond(x) || (isScaled && isBeyond(alpha * x)),
    zeroFactor: (x) => Math.abs(x) < least,
  };
}
