import { mapNumbers } from '../base/numbers.ts';
import { type Matrix, productShape, requireMatrix } from '../matrix/dense.ts';
import { addProduct } from '../precision/add-product.ts';

/**
 * Computes |A|·|B| for A m×k and B k×n: m·n doubles, row-major, none below the true value. Sums of k products in binary64 are too small
 * by at most a factor 1 − γ_k (Higham, ASNA, §3.1), so each is raised by 1 + (k + 2)·2^-52; a zero stays zero. This holds if no product
 * of two entries underflows in binary64, as with any binary32 entries. If A or B has NaN or infinities, the entry is NaN or infinite.
 * @throws ParanoiaError `shapes-differ` unless A's columns are B's rows.
 */
export function absoluteProduct(a: Matrix, b: Matrix): Float64Array {
  const { m, k, n } = productShape(a, b);
  const sums = new Float64Array(m * n);
  addProduct(mapNumbers(a.data, Math.abs), mapNumbers(b.data, Math.abs), { m, k, n }, sums);
  return raised(sums, k);
}

/** Raises sums of k products in binary64 to upper bounds of the exact sums, in place: see {@link absoluteProduct}. */
export function raised(sums: Float64Array, k: number): Float64Array {
  const up = 1 + (k + 2) * 2 ** -52;
  for (let at = 0; at < sums.length; at++) sums[at] *= up;
  return sums;
}

/** The norms of an operand by which the normwise measures divide. */
export interface OperandSize {
  /** max |x_ij|, 0 for an empty matrix; NaN if an entry is. */
  readonly maxAbs: number;
  /** √Σ x_ij²: the Frobenius norm. */
  readonly frobenius: number;
}

/** Measures an operand. Squares are summed in double: entries beyond 2^±500 would overflow or vanish. */
export function operandSize(x: Matrix): OperandSize {
  requireMatrix(x, 'The operand');
  let maxAbs = 0;
  let squares = 0;
  for (let at = 0; at < x.data.length; at++) {
    const size = Math.abs(x.data[at]);
    if (!(size <= maxAbs)) maxAbs = Math.max(maxAbs, size);
    squares += size * size;
  }
  return { maxAbs, frobenius: Math.sqrt(squares) };
}

/** Returns the largest of nonnegative numbers; 0 if there are none. */
export function largestOf(values: Float64Array): number {
  let most = 0;
  for (let e = 0; e < values.length; e++) most = Math.max(most, values[e]);
  return most;
}
