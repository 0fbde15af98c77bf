import type { InputPair } from '../inputs/input.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import type { Reference } from './compared.ts';
import { measureAgainst, type ProductComparison } from './measures.ts';
import type { ErrorMeasures } from './tally.ts';

/** Errors against the product of the operands before they were coded. */
export interface QuantizationErrors {
  /** Errors of the exact product of the coded operands: those of coding alone. */
  readonly coding: ErrorMeasures;
  /** Errors of the computed product: those of coding and multiplying together. */
  readonly endToEnd: ErrorMeasures;
}

/** The most multiplications for computing it: a gate's cases of usual size. */
const MOST = 2 ** 22;

/** Measures the errors of coding the operands; undefined where they are not coded, or the product is not whole or larger than usual. */
export function quantizationOf(
  { uncoded }: Pick<InputPair, 'uncoded'>,
  gemm: Gemm,
  comparison: ProductComparison & { readonly reference: Pick<Reference, 'at' | 'value'> },
): QuantizationErrors | undefined {
  const { m, k, n } = gemm;
  const { reference } = comparison;
  if (uncoded === undefined || !isPlain(gemm) || reference.at !== undefined || m * k * n > MOST)
    return undefined;
  const before = productInDoubles(uncoded);
  const expected = (i: number, j: number) => before[i * n + j];
  const exact: Matrix = { rows: m, cols: n, data: reference.value };
  return {
    coding: measureAgainst({ ...comparison, computed: exact }, expected),
    endToEnd: measureAgainst(comparison, expected),
  };
}

/** Computes the product in binary64, whose own error is far below that of any coding. */
export function productInDoubles({ a, b }: { readonly a: Matrix; readonly b: Matrix }): Float64Array {
  const product = new Float64Array(a.rows * b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let p = 0; p < a.cols; p++) {
      const x = a.data[i * a.cols + p];
      for (let j = 0; j < b.cols; j++) product[i * b.cols + j] += x * b.data[p * b.cols + j];
    }
  }
  return product;
}
