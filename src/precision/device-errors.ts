import { roundingTo } from '../base/rounding.ts';
import type { Arithmetic, OperandArithmetic, Rounding, RunningSum } from './arithmetic.ts';
import { operandIn, roundingIn } from './claimed-rounding.ts';
import { type Format, holdsAll } from './format.ts';
import type { Computation, Precision } from './precision.ts';

/** Unit roundoffs that a sum or product may err by. */
export const UNITS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 2,
  stochastic: 2,
};

/**
 * The mean of what one rounding loses, at most, in unit roundoffs. Cut off, a number of exponent e loses between 0 and an ulp, 2u·2^e, and
 * so half an ulp on average where its last bits are as good as random: u·2^e ≤ u·|x|. A faithful rounding may take the neighbour on one
 * side each time: one side gives half an ulp, too. To nearest and at random the mean is zero.
 */
export const DRIFTS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 0,
  faithful: 1,
  'toward-zero': 1,
  stochastic: 0,
};

/**
 * Unit roundoffs that one rounding may be off its mean: half an ulp to nearest and cut off. Drawn at random from two neighbours it has
 * half their distance as standard deviation at most; faithful, all that it may err by.
 */
export const DEVIATIONS: Readonly<Record<Arithmetic['rounding'], number>> = {
  nearest: 1,
  faithful: 2,
  'toward-zero': 1,
  stochastic: 1,
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
  typicalError(precision.accumulated) * (rounding === 'stochastic' ? 1 : UNITS[rounding]);

/** 2^-p for p bits; nothing where sums are exact. */
export const typicalError = ({ precision, unitRoundoff }: Format): number =>
  unitRoundoff === 0 ? 0 : 2 ** -precision;

/** What rounding an operand before a leaf product does to it: at most `relative`·|x| + `absolute`. */
export interface OperandError {
  readonly relative: number;
  readonly absolute: number;
  /** The standard deviation of the relative error about its mean. */
  readonly deviation: number;
  /** The mean of the relative error, at most. */
  readonly drift: number;
  /** The part of a subnormal operand that is lost toward zero; left out where none is. */
  readonly lost?: ((x: number) => number) | undefined;
  /** Operands of this magnitude or more may become infinite. */
  readonly overflows: number;
  /** Whether a number is multiplied as it is: rounding it, in whatever direction, changes nothing. */
  readonly keeps: (x: number) => boolean;
}

/**
 * The error of rounding operands; undefined where they are multiplied as they are. To nearest it is half a unit in the last
 * place, toward zero a whole one; a subnormal number that is flushed is lost. What parts are cut off, each a unit in its last place, is
 * twice as large a part of the number for each part: see {@link leftBy}.
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
  // All parts of what is as large are normal.
  const whole = minNormal * 2 ** (split.of.precision * (split.count - 1));
  return {
    relative,
    // Of a number that is flushed in parts the first is the largest.
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
 * What so many parts of a number leave of it at most, over its size: of exponent e, i parts of p bits leave 2^(e − i(p + 1) + 1) to nearest,
 * and less than 2^(e − ip + 1) cut off. The next part is no larger.
 */
const leftBy = (count: number, { unitRoundoff }: Format, rounding: OperandRounding): number =>
  count === 0 ? 1 : unitRoundoff ** count * (rounding === 'nearest' ? 2 ** (1 - count) : 2);

/** What becomes of the products of parts of operands, over those of operands. */
export interface PartErrors {
  readonly products: number;
  /** What those that are added amount to. */
  readonly size: number;
  /** What those that are left out amount to at most, their standard deviation about their mean, and that. */
  readonly loss: number;
  readonly deviation: number;
  readonly drift: number;
}

const WHOLE: PartErrors = { products: 1, size: 1, loss: 0, deviation: 0, drift: 0 };

/** The errors of leaving out products of small parts. To nearest parts but the first have any sign; cut off, that of the number. */
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

/** What multiplying elements by factors of their blocks does, before products or after sums: it rounds as all products do. */
function decodingError(
  roundings: number,
  coded: Precision['coded'],
  { unitRoundoff, maxFinite, minSubnormal }: Format,
  rounding: Arithmetic['rounding'],
): OperandError {
  const most = roundings * unitRoundoff * UNITS[rounding];
  const bits = Math.max(...[coded?.a, coded?.b].map((coding) => coding?.element.precision ?? 0));
  const round = roundingTo(bits, LEAST, Number.MAX_VALUE);
  return {
    relative: most * (1 + most),
    absolute: (roundings * minSubnormal * UNITS[rounding]) / 2,
    deviation: roundings * unitRoundoff * DEVIATIONS[rounding],
    drift: roundings * unitRoundoff * DRIFTS[rounding],
    overflows: maxFinite,
    // What has no more bits than elements is one times a power of two, or both have few bits.
    keeps: (x) => round(x) === x,
  };
}

/** The exponent of the smallest normal binary64 number. */
const LEAST = -1022;

/** What rounding complete sums to a narrower format does to them: at most `relative`·|x| + `absolute`. */
export interface ResultError {
  /** The unit that errors are told in: the relative error of normal numbers, or of those near 1 where it depends on the exponent. */
  readonly unit: number;
  /** Infinite where the relative error depends on the exponent. */
  readonly relative: number;
  readonly absolute: number;
  /** The standard deviation of the relative error. */
  readonly deviation: number;
  /** Bounds the error of a result, given the mirror's sum and the bound of that. */
  bound(sum: number, before: number): number;
  /** Bounds the errors of rounding so many numbers, added up, whose sizes add up to `size` at most. */
  most(size: number, count: number): number;
  /** Adds these errors as random ones to a standard deviation, of numbers whose squares add up to `norm`². */
  spread(before: number, norm: number, count: number): number;
  /** How the mirror rounds: what is claimed, to nearest where it may be either neighbour. */
  readonly round: (x: number) => number;
}

/** The error of rounding results; undefined where their format holds all sums. */
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
 * Rounding keeps the order of numbers: of a sum s that is within e of the exact one, others are within 2e of it, and their results
 * between those of s − 2e and s + 2e. The sum is a double. Of several numbers none is larger than all of them together, nor than the root of their squares.
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

/** The unit that errors of results are told in: the larger one of sums and of their last rounding. */
export const resultUnitOf = (computation: Computation): number =>
  Math.max(unitRoundoffOf(computation), resultErrorOf(computation)?.unit ?? 0) ||
  2 ** -computation.precision.d.precision;

/** What one operation may lose beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** Per unit of the other operand: a flushed operand of a product. */
  readonly operand: number;
}

/** The underflow of an arithmetic. */
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
 * What an adder of blocks loses for each term, per unit of the other factor, where a factor is subnormal: it is aligned as if it were
 * the smallest normal number, so that the window begins above the largest product. Of t products and the sum each loses 2^(1 − bits)
 * of that at most.
 */
function alignedBeyond({ minNormal }: Format, running: readonly RunningSum[]): number {
  const each = running.map(({ terms = 1, bits = 0 }) =>
    terms > 1 ? ((terms + 1) / terms) * 2 ** (1 - bits) * minNormal : 0,
  );
  return Math.max(0, ...each);
}
