import { UNITS } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { alphaAt, enteringErrorOf, type ScalingConvention } from '../readers/convention.ts';

/** The special values that a finite number may become before it is multiplied. */
export interface PossibleSpecials {
  /** True if a nonzero entry may become zero: it is flushed, or underflows when it is rounded. */
  readonly zero: (entry: number) => boolean;
  /** True if an entry may become an infinity of its sign. */
  readonly infinite: (entry: number) => boolean;
  /** True if alpha or beta may be flushed to zero. */
  readonly zeroFactor: (factor: number) => boolean;
}

/**
 * Determines the special values that finite numbers may become by rounding operands, flushing subnormal numbers and multiplying entries by
 * alpha first. Zero times infinity is then NaN, and so is a number that became infinite times zero.
 */
export function mayBecome(
  machine: Computation,
  alpha: number,
  convention: ScalingConvention = {},
): PossibleSpecials {
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
  // Entries may be multiplied by alpha before or after they are rounded, unless the sums are.
  const isScaled = alpha !== 1 && alphaAt(convention) !== 'last';
  return {
    zero: (x) => x !== 0 && (isLost(x) || (isScaled && (isLost(alpha * x) || Math.abs(alpha * x) < below))),
    infinite: (x) => isBeyond(x) || (isScaled && isBeyond(alpha * x)),
    zeroFactor: (x) => Math.abs(x) < least,
  };
}
