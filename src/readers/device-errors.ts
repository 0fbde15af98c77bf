import type { Arithmetic } from '../formats/arithmetic32.ts';
import { f32 } from '../formats/format.ts';

/** The largest relative error of one operation: 2^-24 where the device was measured to round to nearest, else 2^-23. */
export function unitRoundoffOf(arithmetic: Arithmetic): number {
  return arithmetic.roundsToNearest ? f32.unitRoundoff : 2 * f32.unitRoundoff;
}

/** What one operation may lose beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** Per unit of the other operand: a flushed operand of a product. */
  readonly operand: number;
}

/** The underflow of a device's arithmetic. */
export function underflowOf(arithmetic: Arithmetic): Underflow {
  if (!arithmetic.flushesSubnormals) return { product: f32.minSubnormal, sum: 0, operand: 0 };
  return { product: 3 * f32.minNormal, sum: 3 * f32.minNormal, operand: f32.minNormal };
}
