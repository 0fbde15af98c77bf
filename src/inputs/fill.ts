import type { Matrix, RealArray } from '../matrix/dense.ts';
import { type Format, f32, f64 } from '../precision/format.ts';

/** Returns a rows×cols matrix whose entry (i, j) is `entry(i, j)`, drawn row by row and rounded once to the format. */
export function fillMatrix(
  rows: number,
  cols: number,
  entry: (i: number, j: number) => number,
  format: Format = f32,
): Matrix {
  const data = realsFor(format, rows * cols);
  const isOwn = format === f32 || format === f64;
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) data[at++] = isOwn ? entry(i, j) : format.round(entry(i, j));
  }
  return { rows, cols, data };
}

/** Allocates an array for numbers of a format: doubles for formats wider than binary32. */
export function realsFor(format: Format, length: number): RealArray {
  return format.bytes > 4 ? new Float64Array(length) : new Float32Array(length);
}
