import { fill } from '../src/inputs/fill.ts';
import type { Matrix } from '../src/matrix/dense.ts';

/** Every entry times a factor. */
export function scaled(x: Matrix, factor: number): Matrix {
  return { ...x, data: x.data.map((value) => value * factor) };
}

/** Row order[i] of x becomes row i. */
export function permuteRows(x: Matrix, order: Uint32Array): Matrix {
  return fill(x.rows, x.cols, (i, j) => x.data[order[i] * x.cols + j]);
}

/** Column order[j] of x becomes column j. */
export function permuteColumns(x: Matrix, order: Uint32Array): Matrix {
  return fill(x.rows, x.cols, (i, j) => x.data[i * x.cols + order[j]]);
}

/** The rows×cols part from (row, col); zeros where that lies outside x. */
export function part(x: Matrix, row: number, col: number, rows: number, cols: number): Matrix {
  return fill(rows, cols, (i, j) =>
    row + i < x.rows && col + j < x.cols ? x.data[(row + i) * x.cols + col + j] : 0,
  );
}

export function identityMatrix(size: number): Matrix {
  return fill(size, size, (i, j) => (i === j ? 1 : 0));
}
