import type { Matrix, Real } from '../matrix/dense.ts';
import type { Layout } from '../plan/layout.ts';
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

/** The words of a matrix, where they are what the device stores, in the same order: a view of them. */
export function wordsAsStored(
  { data, cols }: Matrix,
  layout: Layout,
  { words, encode }: Numeric,
): Uint32Array | undefined {
  const inOrder = layout.kind === 'leaf' && layout.ld === cols && layout.size === data.length;
  const sameNumbers = encode === undefined && data.BYTES_PER_ELEMENT === 4 * words;
  if (!inOrder || !sameNumbers) return undefined;
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}
