import type { InputPair } from '../inputs/input.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import type { Reference } from './compared.ts';
import { type Comparison, measureAgainst } from './measures.ts';
import type { ErrorMeasures } from './tally.ts';

/** Errors against the product of what coded operands were before they were coded. */
export interface Quantisation {
  /** Of the exact product of what they were coded as: what coding alone did. */
  readonly coding: ErrorMeasures;
  /** Of the computed product: what coding and multiplying did together. */
  readonly endToEnd: ErrorMeasures;
}

/** Products of two entries up to which it is computed: a gate's cases of usual size. */
const MOST = 2 ** 22;

/** What coding the operands of a product did; undefined where they are not coded, or it is no whole product of usual size. */
export function quantisationOf(
  { uncoded }: Pick<InputPair, 'uncoded'>,
  gemm: Gemm,
  comparison: Comparison & { readonly reference: Pick<Reference, 'at' | 'value'> },
): Quantisation | undefined {
  const { m, k, n } = gemm;
  const { reference } = comparison;
  if (uncoded === undefined || !isPlain(gemm) || reference.at !== undefined || m * k * n > MOST)
    return undefined;
  const before = inDoubles(uncoded);
  const expected = (i: number, j: number) => before[i * n + j];
  const exact: Matrix = { rows: m, cols: n, data: reference.value };
  return {
    coding: measureAgainst({ ...comparison, computed: exact }, expected),
    endToEnd: measureAgainst(comparison, expected),
  };
}

/** The product in binary64, whose own error no coding comes near. */
function inDoubles({ a, b }: { readonly a: Matrix; readonly b: Matrix }): Float64Array {
  const product = new Float64Array(a.rows * b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let p = 0; p < a.cols; p++) {
      const x = a.data[i * a.cols + p];
      for (let j = 0; j < b.cols; j++) product[i * b.cols + j] += x * b.data[p * b.cols + j];
    }
  }
  return product;
}
