import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { operandSize } from '../accuracy/operand-size.ts';
import type { Arithmetic } from '../formats/arithmetic.ts';
import { type PrecisionName, precisions } from '../formats/precision.ts';
import type { ExactMultiply } from '../gate/evidence.ts';
import { tallySample, type Yardstick } from '../gate/measure.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { unitRoundoffOf } from '../readers/device-errors.ts';
import { sampledProduct, takeCols, takeRows } from '../reference/sampled.ts';

/** Products of two entries that the exact product of a timed one may cost: up to 640³ it is whole. */
export const EXACT_LIMIT = 2 ** 28;

/** What operands are made from. */
export interface Draw {
  readonly shape: Shape;
  readonly input: string;
  readonly precision: PrecisionName;
  readonly seed: number;
}

/** Makes operands and what products of them are compared with: the exact product, above a size rows and columns of it. */
export async function layOperands(
  { shape, input, precision, seed }: Draw,
  exactMultiply: ExactMultiply,
): Promise<Yardstick> {
  const operands = findInput(input).generate({ ...shape, seed, precision: precisions[precision] });
  const { a, b } = operands;
  const sample = await sampledProduct(a, b, { seed, limit: EXACT_LIMIT }, exactMultiply);
  return {
    operands,
    sizes: { a: operandSize(a), b: operandSize(b) },
    sample,
    rowSizes: absoluteProduct(takeRows(a, sample.rows), b),
    colSizes: absoluteProduct(a, takeCols(b, sample.cols)),
  };
}

/** Significand bits that a product shows, see `bits` of the gate's error measures. */
export function bitsOf(
  c: Matrix,
  { sizes, sample, rowSizes, colSizes }: Yardstick,
  arithmetic: Arithmetic,
): number {
  const scales = {
    u: unitRoundoffOf(arithmetic),
    maxProduct: sizes.a.maxAbs * sizes.b.maxAbs,
    frobeniusProduct: sizes.a.frobenius * sizes.b.frobenius,
  };
  const { round } = precisions[arithmetic.precision].stored;
  return tallySample(c, sample, rowSizes, colSizes, scales, round).bits;
}
