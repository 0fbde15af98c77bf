import { roundingTo } from '../base/rounding.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Format } from './format.ts';
import type { Computation, Precision } from './precision.ts';

/** Unit roundoffs that a sum or product may err by. */
export const UNITS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 2,
  stochastic: 2,
};

/** The largest relative error of one sum or product: the format's u where it rounds to nearest, else 2u. */
export const unitRoundoffOf = ({ precision, arithmetic }: Computation): number =>
  precision.accumulated.unitRoundoff * UNITS[arithmetic.rounding];

/**
 * The standard deviation to take for the relative error of one sum or product: 2^-p for p bits. That is u, but for pairs,
 * whose worst error is seven times larger than errors that are ever seen. What is drawn from two neighbours has half their
 * distance at most (Connolly, Higham, Mary, *Stochastic rounding and its probabilistic backward error analysis*, 2021).
 */
export const deviationOf = ({ precision, arithmetic: { rounding } }: Computation): number =>
  2 ** -precision.accumulated.precision * (rounding === 'stochastic' ? 1 : UNITS[rounding]);

/** What rounding an operand before a leaf product does to it: at most `relative`·|x| + `absolute`. */
export interface OperandError {
  readonly relative: number;
  readonly absolute: number;
  /** Operands of this magnitude or more may become infinite. */
  readonly overflows: number;
  /** Whether a number is multiplied as it is: rounding it, in whatever direction, changes nothing. */
  readonly keeps: (x: number) => boolean;
}

/**
 * The error of rounding operands; undefined where they are multiplied as they are. To nearest it is half a unit in the last
 * place, toward zero a whole one; a subnormal number that is flushed is lost.
 */
export function operandErrorOf({
  precision: { a, b, multiplied, decoding, coded, accumulated },
  operands = {},
}: Computation): OperandError | undefined {
  if (decoding !== undefined && decoding.roundings > 0)
    return decodingError(decoding.roundings, coded, accumulated);
  if (multiplied === a && multiplied === b) return undefined;
  const { unitRoundoff, minNormal, minSubnormal, maxFinite, round } = multiplied;
  const units = operands.rounding === 'toward-zero' ? 2 : 1;
  const isFlushing = operands.subnormals === 'flushed';
  return {
    relative: unitRoundoff * units,
    absolute: isFlushing ? minNormal : (minSubnormal / 2) * units,
    overflows: maxFinite,
    keeps: (x) => round(x) === x && (!isFlushing || x === 0 || Math.abs(x) >= minNormal),
  };
}

/** What multiplying elements by factors of their blocks does, before products or after sums. */
function decodingError(
  roundings: number,
  coded: Precision['coded'],
  { unitRoundoff, maxFinite, minSubnormal }: Format,
): OperandError {
  const bits = Math.max(...[coded?.a, coded?.b].map((coding) => coding?.element.precision ?? 0));
  const round = roundingTo(bits, LEAST, Number.MAX_VALUE);
  return {
    relative: roundings * unitRoundoff * (1 + roundings * unitRoundoff),
    absolute: (roundings * minSubnormal) / 2,
    overflows: maxFinite,
    // What has no more bits than elements is one times a power of two, or both have few bits.
    keeps: (x) => round(x) === x,
  };
}

/** The exponent of the smallest normal binary64 number. */
const LEAST = -1022;

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
