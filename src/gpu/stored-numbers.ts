import type { Matrix, Real } from '../matrix/dense.ts';
import type { Numeric } from './numerics/numeric.ts';

/** The numbers that words of a buffer hold: a view of them, not a copy. */
export function numbersIn({ buffer, byteOffset, length }: Uint32Array, { words }: Numeric): Real {
  return words === 2
    ? new Float64Array(buffer, byteOffset, length / 2)
    : new Float32Array(buffer, byteOffset, length);
}

/** A matrix as the device stores it. */
export function encoded(matrix: Matrix, { encode }: Numeric): Matrix {
  return encode === undefined ? matrix : { ...matrix, data: Float64Array.from(matrix.data, encode) };
}

/** The matrix that the device stored. */
export function decoded(stored: Matrix, { decode }: Numeric): Matrix {
  return decode === undefined ? stored : { ...stored, data: stored.data.map(decode) };
}
