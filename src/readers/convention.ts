import type { Gemm } from '../matrix/gemm.ts';
import { type OperandError, operandErrorOf, resultErrorOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';

/** The places where alpha and beta are multiplied, and which are first and last. */
const places = { first: 'first', operand: 'first', last: 'last', result: 'last' } as const;

/** Where a kernel multiplies by alpha and adds beta·C, if it says so. */
export interface Convention {
  /**
   * `first`: to entries of A or B, and `operand`, which rounds these to the format that is multiplied; `last`: to sums of products, and `result`,
   * to sums that were rounded to the format of results, in that format.
   */
  readonly alpha?: keyof typeof places | undefined;
  /** `first`: sums begin with it; `last`: it is added to complete sums; `result`: to rounded ones, in the format of results. */
  readonly beta?: Exclude<keyof typeof places, 'operand'> | undefined;
}

/** Where alpha is multiplied: to entries, or to sums. */
export const alphaAt = ({ alpha }: Convention) => alpha && places[alpha];

/** True if alpha or beta is multiplied in the format of results. */
export const isOfResults = ({ alpha, beta }: Convention): boolean => alpha === 'result' || beta === 'result';

/** The bits that whole numbers may have, so that no product of alpha or beta is rounded: of the narrowest format that one is rounded to. */
export const wholeBitsOf = (
  { multiplied, accumulated, d }: Computation['precision'],
  claimed: Convention,
): number =>
  Math.min(
    accumulated.integerBits,
    claimed.alpha === 'operand' ? multiplied.integerBits : Number.POSITIVE_INFINITY,
    isOfResults(claimed) ? d.integerBits : Number.POSITIVE_INFINITY,
  );

/** The error of rounding entries to the format that is multiplied, where they are of the format of sums. */
const scaledErrorOf = ({ precision, ...computation }: Computation): OperandError | undefined =>
  operandErrorOf({ ...computation, precision: { ...precision, a: precision.accumulated } });

/** The error of rounding what is multiplied, alpha's entries or those of operands. */
export const enteringErrorOf = (computation: Computation, { alpha }: Convention): OperandError | undefined =>
  (alpha === 'operand' ? scaledErrorOf : operandErrorOf)(computation);

/** What roundings of alpha's and beta's products to narrower formats add, but for the last, of complete sums. */
interface NarrowErrors {
  /** To the bound, given the sizes of terms, of sums of products and of what is added. */
  bound(size: number, product: number, added: number): number;
  /** To the variance, given the squares of terms, sums of products and what is added. */
  variance(squares: number, product: number, added: number): number;
  /** What an entry times alpha may lose to underflow. */
  readonly smallest: number;
  /** What an entry of the result may. */
  readonly lost: number;
}

/** The errors of a convention that rounds to narrower formats; undefined where it does not. */
export function narrowErrors(
  { alpha, beta }: Pick<Gemm, 'alpha' | 'beta'>,
  computation: Computation,
  convention: Convention,
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
