import { type Matrix, matrix, type RealArray } from './dense.ts';
import type { Gemm } from './gemm.ts';

/**
 * Complex products as real ones. A is embedded as [[Ar, −Ai], [Ai, Ar]] of 2m×2k, B and C as [[Br], [Bi]]. The real product is [[Dr],
 * [Di]]: each part of an entry of D is a sum of 2k real products.
 */

const like = (x: Matrix, length: number): RealArray =>
  x.data instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);

/** Embeds a complex left factor in a real matrix of twice its rows and columns: [[re, −im], [im, re]]. */
export function embedLeft(re: Matrix, im: Matrix): Matrix {
  const { rows, cols } = re;
  const data = like(re, 4 * rows * cols);
  for (let i = 0; i < rows; i++) {
    const [top, bottom] = [i * 2 * cols, (rows + i) * 2 * cols];
    for (let j = 0; j < cols; j++) {
      const [x, y] = [re.data[i * cols + j], im.data[i * cols + j]];
      data[top + j] = x;
      data[top + cols + j] = -y;
      data[bottom + j] = y;
      data[bottom + cols + j] = x;
    }
  }
  return matrix(2 * rows, 2 * cols, data);
}

/** Embeds a complex right factor, C or D in a real matrix of twice its rows: [[re], [im]]. */
export function embedRight(re: Matrix, im: Matrix): Matrix {
  const data = like(re, 2 * re.data.length);
  data.set(re.data);
  data.set(im.data, re.data.length);
  return matrix(2 * re.rows, re.cols, data);
}

/** Returns the real and imaginary parts that embedded matrices stand for; those of a batch lie one below the other. */
export function splitComplexParts(
  name: 'a' | 'b' | 'c',
  x: Matrix,
  { m, k }: Pick<Gemm, 'm' | 'k'>,
): [Matrix, Matrix] {
  const rows = name === 'b' ? k : m;
  const cols = name === 'a' ? k : x.cols;
  const count = rows === 0 ? 0 : x.rows / (2 * rows);
  const part = (first: number) => {
    const data = like(x, count * rows * cols);
    for (let p = 0, to = 0; p < count; p++) {
      for (let i = 0; i < rows; i++, to += cols) {
        const from = ((2 * p + first) * rows + i) * x.cols;
        data.set(x.data.subarray(from, from + cols), to);
      }
    }
    return matrix(count * rows, cols, data);
  };
  return [part(0), part(1)];
}

/**
 * Joins real and imaginary parts of D into the entries of the embedded real product.
 * @param size entries of D for each product of the batch.
 */
export function joinComplexParts(re: RealArray, im: RealArray, size: number): RealArray {
  const data = re instanceof Float64Array ? new Float64Array(2 * re.length) : new Float32Array(2 * re.length);
  for (let from = 0; from < re.length; from += size) {
    data.set(re.subarray(from, from + size), 2 * from);
    data.set(im.subarray(from, from + size), 2 * from + size);
  }
  return data;
}
