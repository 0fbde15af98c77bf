import { roundingTo } from '../base/rounding.ts';
import type { Arithmetic, OperandArithmetic, Rounding, RunningSum } from './arithmetic.ts';
import { operandIn, roundingIn } from './claimed-rounding.ts';
import { type Format, holdsAll } from './format.ts';
import type { Computation, Precision } from './precision.ts';

/** The unit roundoffs by which a sum or product may err. */
export const UNITS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 2,
  stochastic: 2,
};

/**
 * A bound on the mean error of one rounding, in unit roundoffs. Truncation of a number of exponent e loses between 0 and an ulp, 2u·2^e.
 * If its last bits are as good as random, it loses half an ulp on average: u·2^e ≤ u·|x|. A faithful rounding may take the neighbor on
 * the same side each time, which gives half an ulp, too. To nearest and at random the mean is zero.
 */
export const DRIFTS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 0,
  faithful: 1,
  'toward-zero': 1,
  stochastic: 0,
};

/**
 * The deviation of one rounding from its mean, in unit roundoffs: half an ulp for rounding to nearest and truncation. A random choice of
 * two neighbors has at most half their distance as standard deviation; a faithful rounding, its whole error.
 */
export const DEVIATIONS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 1,
  stochastic: 1,
};

/** Returns the largest relative error of one sum or product: the format's u if it rounds to nearest, otherwise 2u. */
export const unitRoundoffOf = ({ precision, arithmetic }: Computation): number =>
  precision.accumulated.unitRoundoff * UNITS[arithmetic.rounding];

/**
 * Returns the standard deviation to assume for the relative error of one sum or product: 2^-p for p bits. That is u, except for pairs,
 * whose worst error is seven times larger than any observed error. A random choice of two neighbors has at most half their distance
 * (Connolly, Higham, Mary, *Stochastic rounding and its probabilistic backward error analysis*, 2021).
 */
export const deviationOf = ({ precision, arithmetic: { rounding } }: Computation): number =>
  typicalError(precision.accumulated) * (rounding === 'stochastic' ? 1 : UNITS[rounding]);

/** Returns 2^-p for p bits; 0 if sums are exact. */
export const typicalError = ({ precision, unitRoundoff }: Format): number =>
  unitRoundoff === 0 ? 0 : 2 ** -precision;

/** The error of rounding an operand before a leaf product: at most `relative`·|x| + `absolute`. */
export interface OperandError {
  readonly relative: number;
  readonly absolute: number;
  /** The standard deviation of the relative error about its mean. */
  readonly deviation: number;
  /** A bound on the mean of the relative error. */
  readonly drift: number;
  /** Returns the part of a subnormal operand that is lost toward zero. Absent if none is lost. */
  readonly lost?: ((x: number) => number) | undefined;
  /** The magnitude from which operands may become infinite. */
  readonly overflows: number;
  /** True if a number is multiplied unchanged: rounding it, in any direction, changes nothing. */
  readonly keeps: (x: number) => boolean;
}

/**
 * Returns the error of rounding operands; undefined if they are multiplied unchanged. To nearest it is half a unit in the last place,
 * toward zero a whole one; a flushed subnormal number is lost. If parts are truncated, each by a unit in its last place, the relative
 * error doubles for each part: see {@link leftBy}.
 */
export function operandErrorOf({
  precision: { a, b, multiplied, decoding, coded, accumulated },
  arithmetic,
  operands = {},
}: Computation): OperandError | undefined {
  if (decoding !== undefined && decoding.roundings > 0)
    return decodingError(decoding.roundings, coded, accumulated, arithmetic.rounding);
  if (holdsAll(multiplied, a) && holdsAll(multiplied, b)) return undefined;
  const { minNormal, minSubnormal, maxFinite, split = { of: multiplied, count: 1 } } = multiplied;
  const { rounding = 'nearest', subnormals } = operands;
  const [units, isFlushing] = [UNITS[rounding], subnormals === 'flushed'];
  const enter = operandIn(multiplied, operands);
  const relative = leftBy(split.count, split.of, rounding);
  // All parts of a number this large are normal.
  const whole = minNormal * 2 ** (split.of.precision * (split.count - 1));
  return {
    relative,
    // The largest loss of a number that is flushed in parts is its first part.
    absolute: isFlushing ? minNormal * Math.min(2, split.count) : (minSubnormal / 2) * units,
    deviation: (relative / units) * DEVIATIONS[rounding],
    drift: (relative / units) * DRIFTS[rounding],
    ...(isFlushing || rounding !== 'nearest'
      ? { lost: (x) => (Math.abs(x) < whole ? x - enter(x) : 0) }
      : {}),
    overflows: maxFinite,
    keeps: (x) => enter(x) === x,
  };
}

type OperandRounding = NonNullable<OperandArithmetic['rounding']>;

/**
 * Bounds the remainder of a number after `count` parts, relative to its size. For an exponent e, i parts of p bits leave 2^(e − i(p + 1)
 * + 1) to nearest, and less than 2^(e − ip + 1) truncated. The next part is no larger.
 */
const leftBy = (count: number, { unitRoundoff }: Format, rounding: OperandRounding): number =>
  count === 0 ? 1 : unitRoundoff ** count * (rounding === 'nearest' ? 2 ** (1 - count) : 2);

/** The sizes of the products of parts, relative to the products of operands. */
export interface PartErrors {
  readonly products: number;
  /** A bound on the sum of the magnitudes of the products that are added. */
  readonly size: number;
  /** A bound on the products that are left out, their standard deviation about their mean, and their mean. */
  readonly loss: number;
  readonly deviation: number;
  readonly drift: number;
}

const WHOLE: PartErrors = { products: 1, size: 1, loss: 0, deviation: 0, drift: 0 };

/**
 * Returns the errors of leaving out products of small parts. Rounded to nearest, parts after the first have any sign; truncated, they
 * have that of the number.
 */
export function partErrorsOf({
  precision,
  operands: { rounding = 'nearest' } = {},
}: Computation): PartErrors {
  const { split } = precision.multiplied;
  if (split === undefined) return WHOLE;
  const { of, count, products } = split;
  const parts = Array.from({ length: count }, (_, order) => {
    const most = leftBy(order, of, rounding);
    return { order, most, mean: order === 0 ? 1 : (most / UNITS[rounding]) * DRIFTS[rounding] };
  });
  const pairs = parts
    .flatMap((x) =>
      parts.map((y) => ({ order: x.order + y.order, most: x.most * y.most, mean: x.mean * y.mean })),
    )
    .sort((x, y) => x.order - y.order);
  const [kept, left] = [pairs.slice(0, products), pairs.slice(products)];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, x) => total + x, 0);
  return {
    products,
    size: sum(kept.map(({ most }) => most)),
    loss: sum(left.map(({ most }) => most)),
    deviation: (Math.hypot(...left.map(({ most }) => most)) / UNITS[rounding]) * DEVIATIONS[rounding],
    drift: sum(left.map(({ mean }) => mean)),
  };
}

/** Returns the error of multiplying elements by factors of their blocks, before products or after sums: it rounds like all products. */
function decodingError(
  roundings: number,
  coded: Precision['coded'],
  { unitRoundoff, maxFinite, minSubnormal }: Format,
  rounding: Arithmetic['rounding'],
): OperandError {
  const most = roundings * unitRoundoff * UNITS[rounding];
  const bits = Math.max(...[coded?.a, coded?.b].map((coding) => coding?.element.precision ?? 1));
  const round = roundingTo(bits, LEAST, Number.MAX_VALUE);
  return {
    relative: most * (1 + most),
    absolute: (roundings * minSubnormal * UNITS[rounding]) / 2,
    deviation: roundings * unitRoundoff * DEVIATIONS[rounding],
    drift: roundings * unitRoundoff * DRIFTS[rounding],
    overflows: maxFinite,
    // A number with no more bits than elements is an element times a power of two, or both element and factor have few bits.
    keeps: (x) => round(x) === x,
  };
}

/** The exponent of the smallest normal binary64 number. */
const LEAST = -1022;

/** The error of rounding complete sums to a narrower format: at most `relative`·|x| + `absolute`. */
export interface ResultError {
  /** The unit of errors: the relative error of normal numbers, or of those near 1 if it depends on the exponent. */
  readonly unit: number;
  /** The relative error; infinite if it depends on the exponent. */
  readonly relative: number;
  readonly absolute: number;
  /** The standard deviation of the relative error. */
  readonly deviation: number;
  /** Bounds the error of a result, given the bit-exact model's sum and its error bound. */
  bound(sum: number, before: number): number;
  /** Bounds the sum of the errors of rounding `count` numbers whose magnitudes sum up to at most `size`. */
  most(size: number, count: number): number;
  /** Adds these errors as random ones to a standard deviation, for numbers whose squares sum up to `norm`². */
  spread(before: number, norm: number, count: number): number;
  /** Rounds like the bit-exact model: as claimed, or to nearest if either neighbor is allowed. */
  readonly round: (x: number) => number;
}

/** Returns the error of rounding results; undefined if their format holds all sums. */
export function resultErrorOf({
  precision: { accumulated, d },
  result: { rounding = 'nearest', overflow = 'special' } = {},
}: Pick<Computation, 'precision' | 'result'>): ResultError | undefined {
  if (d === accumulated || holdsAll(d, accumulated)) return undefined;
  const { round } = roundingIn(d, rounding);
  const { maxFinite, roundingError } = d;
  const saturated = (x: number) => (Math.abs(x) > maxFinite ? Math.sign(x) * maxFinite : round(x));
  const errors =
    roundingError === undefined ? constantErrors(d, rounding) : taperedErrors({ ...d, roundingError });
  return { ...errors, round: overflow === 'saturate' ? saturated : round };
}

type RoundingErrors = Omit<ResultError, 'round'>;

function constantErrors({ unitRoundoff, minSubnormal }: Format, rounding: Rounding): RoundingErrors {
  const units = UNITS[rounding];
  const [relative, absolute] = [unitRoundoff * units, (minSubnormal / 2) * units];
  const deviation = unitRoundoff * (rounding === 'stochastic' ? 1 : units);
  const most = (size: number, count: number) => relative * size + absolute * count;
  return {
    ...{ unit: relative, relative, absolute, deviation, most },
    bound: (sum, before) => before + most(Math.abs(sum) + 2 * before, 1),
    spread: (before, norm, count) => Math.hypot(before, deviation * norm, absolute * Math.sqrt(count)),
  };
}

/**
 * Returns the errors of a format whose relative error depends on the exponent. Rounding keeps the order of numbers. If a sum s is within
 * e of the exact one, other sums are within 2e of s, and their results between those of s − 2e and s + 2e. The sum is a double. No
 * single number is larger than the sum of all magnitudes, nor than the root of the sum of their squares.
 */
function taperedErrors({
  unitRoundoff,
  minSubnormal,
  round,
  roundingError,
}: Format & Required<Pick<Format, 'roundingError'>>): RoundingErrors {
  return {
    ...{ unit: unitRoundoff, relative: Number.POSITIVE_INFINITY, absolute: minSubnormal },
    deviation: Number.POSITIVE_INFINITY,
    bound(sum, before) {
      const [low, high] = [round(sum - 2 * before), round(sum + 2 * before)];
      return Math.max(high - (sum - before), sum + before - low) + Math.abs(sum) * 2 ** -51;
    },
    most: (size, count) => roundingError(size) * count,
    spread: (before, norm, count) => Math.hypot(before, roundingError(norm) * Math.sqrt(count)),
  };
}

/** Returns the unit of errors of results: the larger unit of sums and of their final rounding. */
export const resultUnitOf = (computation: Computation): number =>
  Math.max(unitRoundoffOf(computation), resultErrorOf(computation)?.unit ?? 0) ||
  2 ** -computation.precision.d.precision;

/** Bounds on the loss of one operation beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** The loss of a product per unit of the other operand, if an operand is flushed. */
  readonly operand: number;
}

/** Returns the underflow of an arithmetic. */
export function underflowOf({ precision, arithmetic, sums }: Computation): Underflow {
  const { minNormal, minSubnormal, underflow, unitRoundoff } = precision.accumulated;
  if (unitRoundoff === 0) return { product: 0, sum: 0, operand: 0 };
  const window = sums === undefined ? 0 : alignedBeyond(precision.multiplied, sums.running);
  if (arithmetic.subnormals === 'kept') {
    return { product: underflow.kept * minSubnormal, sum: 0, operand: window };
  }
  const lost = underflow.flushed * minNormal;
  return { product: lost, sum: lost, operand: minNormal + window };
}

/**
 * Bounds the loss of a block-wise adder for each term, per unit of the other factor, if a factor is subnormal. It is aligned as if it
 * were the smallest normal number, so that the window begins above the largest product. Each of t products and the sum loses at most
 * 2^(1 − bits) of that.
 */
function alignedBeyond({ minNormal }: Format, running: readonly RunningSum[]): number {
  const each = running.map(({ terms = 1, bits = 0 }) =>
    terms > 1 ? ((terms + 1) / terms) * 2 ** (1 - bits) * minNormal : 0,
  );
  return Math.max(0, ...each);
}
