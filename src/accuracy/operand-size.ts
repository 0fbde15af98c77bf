import { type Matrix, requireMatrix } from '../matrix/dense.ts';

/** The norms of an operand that the normwise measures divide by. */
export interface OperandSize {
  /** max |x_ij|, 0 for an empty matrix; NaN when an entry is. */
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
