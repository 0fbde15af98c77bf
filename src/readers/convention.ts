import type { Gemm } from '../matrix/gemm.ts';
import { type OperandError, operandErrorOf, resultErrorOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';

/** The places where alpha and beta are multiplied, each as first or last. */
const places = { first: 'first', operand: 'first', last: 'last', result: 'last' } as const;

/** The places where a kernel multiplies by alpha and adds beta·C, if it declares them. */
export interface ScalingConvention {
  /**
   * `first`: at entries of A or B; `operand`: the same, rounded to the format of multiplication; `last`: at sums of products; `result`: at
   * sums that were rounded to the format of results, in that format.
   */
  readonly alpha?: keyof typeof places | undefined;
  /** `first`: sums begin with it; `last`: it is added to complete sums; `result`: to rounded ones, in the format of results. */
  readonly beta?: Exclude<keyof typeof places, 'operand'> | undefined;
}

/** Returns the place where alpha is multiplied: at entries, or at sums. */
export const alphaAt = ({ alpha }: ScalingConvention) => alpha && places[alpha];

/** True if alpha or beta is multiplied in the format of results. */
export const isOfResults = ({ alpha, beta }: ScalingConvention): boolean =>
  alpha === 'result' || beta === 'result';

/**
 * Returns the most bits of whole numbers for which no product of alpha or beta is rounded: those of the narrowest format of such a product.
 */
export const wholeBitsOf = (
  { multiplied, accumulated, d }: Computation['precision'],
  claimed: ScalingConvention,
): number =>
  Math.min(
    accumulated.integerBits,
    claimed.alpha === 'operand' ? multiplied.integerBits : Number.POSITIVE_INFINITY,
    isOfResults(claimed) ? d.integerBits : Number.POSITIVE_INFINITY,
  );

/** Returns the error of rounding entries from the accumulation format to the format of multiplication. */
const scaledErrorOf = ({ precision, ...computation }: Computation): OperandError | undefined =>
  operandErrorOf({ ...computation, precision: { ...precision, a: precision.accumulated } });

/** Returns the error of rounding what is multiplied: alpha times entries, or operands. */
export const enteringErrorOf = (
  computation: Computation,
  { alpha }: ScalingConvention,
): OperandError | undefined => (alpha === 'operand' ? scaledErrorOf : operandErrorOf)(computation);

/** Additional errors of products of alpha and beta that are rounded to narrower formats, except for the last rounding, of complete sums. */
interface NarrowErrors {
  /** Returns the addition to the bound, given the sizes of terms, of sums of products and of the addend. */
  bound(size: number, product: number, added: number): number;
  /** Returns the addition to the variance, given the squares of terms, sums of products and of the addend. */
  variance(squares: number, product: number, added: number): number;
  /** Possible loss of an entry times alpha by underflow. */
  readonly smallest: number;
  /** Possible loss of an entry of the result by underflow. */
  readonly lost: number;
}

/** Returns the errors of a convention that rounds to narrower formats. Undefined for other conventions. */
export function narrowErrors(
  { alpha, beta }: Pick<Gemm, 'alpha' | 'beta'>,
  computation: Computation,
  convention: ScalingConvention,
): NarrowErrors | undefined {
  const operand = convention.alpha === 'operand' ? scaledErrorOf(computation) : undefined;
  const result = isOfResults(convention) ? resultErrorOf(computation) : undefined;
  if (operand === undefined && result === undefined) return undefined;
  const { relative = 0, deviation = 0, drift = 0, absolute = 0 } = operand ?? {};
  const by = Math.abs(alpha);
  // Factors that the format does not hold are rounded, too.
  const timesIn = (factor: number) => 1 + Number(computation.precision.d.round(factor) !== factor);
  const products = (convention.alpha === 'result' ? timesIn(alpha) : 0) + Number(beta !== 0);
  const addends = convention.beta === 'result' ? timesIn(beta) : 0;
  const grown = (roundings: number) => Math.expm1(roundings * Math.log1p(result?.relative ?? 0));
  const squared = (result?.deviation ?? 0) ** 2;
  return {
    bound: (size, product, added) =>
      size === Number.POSITIVE_INFINITY
        ? size
        : by * (relative * size + grown(products) * product) + grown(addends) * added,
    variance: (squares, product, added) =>
      !Number.isFinite(product)
        ? 0
        : by ** 2 * (deviation ** 2 * squares + (drift ** 2 + products * squared) * product ** 2) +
          addends * squared * added ** 2,
    smallest: absolute,
    lost: (products + addends) * (result?.absolute ?? 0) * Math.max(1, by),
  };
}
