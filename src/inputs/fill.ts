import type { Matrix } from '../matrix/dense.ts';

/** A rows×cols binary32 matrix whose entry (i, j) is `entry(i, j)`, drawn row by row and rounded once. */
export function fill(
  rows: number,
  cols: number,
  entry: (i: number, j: number) => number,
): Matrix<Float32Array> {
  const data = new Float32Array(rows * cols);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) data[at++] = entry(i, j);
  }
  return { rows, cols, data };
}
