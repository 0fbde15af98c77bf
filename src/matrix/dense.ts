import { problem } from '../problems.ts';

/** The typed arrays a matrix may be stored in: IEEE binary32 or binary64 entries. */
export type Real = Float32Array | Float64Array;

/** A dense rows×cols matrix, row-major and contiguous: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix<T extends Real = Real> {
  readonly rows: number;
  readonly cols: number;
  readonly data: T;
}

/** The largest dimension the product accepts: entries stay addressable with 32-bit offsets. */
export const MAX_DIMENSION = 32768;

/**
 * Wraps `data` as a rows×cols matrix without copying.
 * @throws Problem `bad-number` unless both sizes are integers ≥ 0; `shapes-differ` when `data` has another length.
 */
export function matrix<T extends Real>(rows: number, cols: number, data: T): Matrix<T> {
  for (const [what, given] of [
    ['rows', rows],
    ['cols', cols],
  ] as const) {
    if (!Number.isInteger(given) || given < 0) {
      throw problem('bad-number', { what, given, need: 'a whole number of at least 0' });
    }
  }
  if (data.length !== rows * cols) {
    throw problem('shapes-differ', {
      a: `${rows}×${cols}`,
      b: `${data.length} entries`,
      why: `a ${rows}×${cols} matrix has ${rows * cols} entries`,
    });
  }
  return { rows, cols, data };
}

/** A rows×cols matrix of zeros in binary32. */
export function zerosF32(rows: number, cols: number): Matrix<Float32Array> {
  return matrix(rows, cols, new Float32Array(rows * cols));
}

/** A rows×cols matrix of zeros in binary64. */
export function zerosF64(rows: number, cols: number): Matrix<Float64Array> {
  return matrix(rows, cols, new Float64Array(rows * cols));
}

/** The transpose, a new matrix in the same precision. */
export function transpose<T extends Real>(x: Matrix<T>): Matrix<T> {
  const data = new (x.data.constructor as new (n: number) => T)(x.data.length);
  for (let i = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++) data[j * x.rows + i] = x.data[i * x.cols + j];
  }
  return { rows: x.cols, cols: x.rows, data };
}

/** The inner dimensions of A·B. @throws Problem `shapes-differ` when A's columns are not B's rows. */
export function productShape(a: Matrix, b: Matrix): Shape {
  if (a.cols !== b.rows) {
    throw problem('shapes-differ', {
      a: `A is ${a.rows}×${a.cols}`,
      b: `B is ${b.rows}×${b.cols}`,
      why: `A must have as many columns as B has rows`,
    });
  }
  return { m: a.rows, k: a.cols, n: b.cols };
}

/** The shape of a product: A is m×k, B is k×n, C is m×n. */
export interface Shape {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}
