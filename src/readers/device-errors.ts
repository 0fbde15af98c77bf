import type { Arithmetic } from '../formats/arithmetic.ts';
import { f32x2 } from '../formats/format.ts';
import { precisions } from '../formats/precision.ts';

/** The largest relative error of one sum or product: the format's u where the device rounds to nearest, else 2u. */
export function unitRoundoffOf({ precision, roundsToNearest }: Arithmetic): number {
  return precisions[precision].working.unitRoundoff * (roundsToNearest ? 1 : 2);
}

/**
 * The standard deviation to take for the relative error of one sum or product: 2^-p for p bits. That is u, but for pairs,
 * whose worst error is seven times larger than errors that are ever seen.
 */
export function deviationOf({ precision, roundsToNearest }: Arithmetic): number {
  return 2 ** -precisions[precision].working.precision * (roundsToNearest ? 1 : 2);
}

/** What rounding an operand before a leaf product does to it: at most `relative`·|x| + `absolute`. */
export interface OperandError {
  readonly relative: number;
  readonly absolute: number;
  /** Operands of this magnitude or more may become infinite. */
  readonly overflows: number;
}

/** The error of rounding operands; undefined where they are multiplied as they are. */
export function operandErrorOf({ precision }: Arithmetic): OperandError | undefined {
  const { stored, operands } = precisions[precision];
  if (operands === stored) return undefined;
  const { unitRoundoff, minSubnormal, maxFinite } = operands;
  return { relative: unitRoundoff, absolute: minSubnormal / 2, overflows: maxFinite };
}

/** What one operation may lose beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** Per unit of the other operand: a flushed operand of a product. */
  readonly operand: number;
}

/** Operations of a float-float sum or product, each of which may lose the smallest normal number. */
const PAIR_OPERATIONS = 24;

/** The underflow of a device's arithmetic. */
export function underflowOf({ precision, flushesSubnormals }: Arithmetic): Underflow {
  const { working } = precisions[precision];
  const { minNormal, minSubnormal } = working;
  if (working === f32x2) {
    const least = flushesSubnormals ? minNormal : minSubnormal;
    const lost = PAIR_OPERATIONS * least;
    return { product: lost, sum: flushesSubnormals ? lost : 0, operand: flushesSubnormals ? minNormal : 0 };
  }
  if (!flushesSubnormals) return { product: minSubnormal, sum: 0, operand: 0 };
  return { product: 3 * minNormal, sum: 3 * minNormal, operand: minNormal };
}
