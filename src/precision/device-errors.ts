import type { Arithmetic } from './arithmetic.ts';
import type { Computation, Precision } from './precision.ts';

/** Unit roundoffs that a sum or product may err by. */
const UNITS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 2,
};

/** The largest relative error of one sum or product: the format's u where it rounds to nearest, else 2u. */
export const unitRoundoffOf = ({ precision, arithmetic }: Computation): number =>
  precision.accumulated.unitRoundoff * UNITS[arithmetic.rounding];

/**
 * The standard deviation to take for the relative error of one sum or product: 2^-p for p bits. That is u, but for pairs,
 * whose worst error is seven times larger than errors that are ever seen.
 */
export const deviationOf = ({ precision, arithmetic }: Computation): number =>
  2 ** -precision.accumulated.precision * UNITS[arithmetic.rounding];

/** What rounding an operand before a leaf product does to it: at most `relative`·|x| + `absolute`. */
export interface OperandError {
  readonly relative: number;
  readonly absolute: number;
  /** Operands of this magnitude or more may become infinite. */
  readonly overflows: number;
}

/** The error of rounding operands; undefined where they are multiplied as they are. */
export function operandErrorOf({ a, b, multiplied }: Precision): OperandError | undefined {
  if (multiplied === a && multiplied === b) return undefined;
  const { unitRoundoff, minSubnormal, maxFinite } = multiplied;
  return { relative: unitRoundoff, absolute: minSubnormal / 2, overflows: maxFinite };
}

/** What one operation may lose beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** Per unit of the other operand: a flushed operand of a product. */
  readonly operand: number;
}

/** The underflow of an arithmetic. */
export function underflowOf({ precision, arithmetic }: Computation): Underflow {
  const { minNormal, minSubnormal, underflow } = precision.accumulated;
  if (arithmetic.subnormals === 'kept') {
    return { product: underflow.kept * minSubnormal, sum: 0, operand: 0 };
  }
  const lost = underflow.flushed * minNormal;
  return { product: lost, sum: lost, operand: minNormal };
}
