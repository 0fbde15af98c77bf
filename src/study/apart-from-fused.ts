import type { Matrix } from '../matrix/dense.ts';

/** Rows that are summed again: some ten thousand entries are enough for a mean. */
const ROWS = 8;

/**
 * Returns the distance of a classical binary64 product from one that rounds each x·y + s once, over the mean size of its entries. It is the
 * difference of the same sums on an older CPU and on a GPU with fma. Equally spaced rows are summed again, sequentially over k. A is m×k, B
 * k×n, C m×n.
 */
export function measureFusedDistance(c: Matrix, a: Matrix, b: Matrix): { max: number; mean: number } {
  const rows = Math.min(ROWS, c.rows);
  let [max, total, size] = [0, 0, 0];
  for (let r = 0; r < rows; r++) {
    const i = Math.floor(((r + 0.5) * c.rows) / rows);
    const fused = fusedRow(a.data.subarray(i * a.cols, (i + 1) * a.cols), b);
    for (let j = 0; j < c.cols; j++) {
      const value = c.data[i * c.cols + j];
      const apart = Math.abs(value - fused[j]);
      max = Math.max(max, apart);
      total += apart;
      size += Math.abs(value);
    }
  }
  const entries = rows * c.cols;
  return { max: max / (size / entries), mean: total / size };
}

/** Computes one row of A·B in binary64, sequentially over k, with one rounding a term. */
function fusedRow(x: ArrayLike<number>, { rows: k, cols: n, data }: Matrix): Float64Array {
  const sums = new Float64Array(n);
  for (let p = 0; p < k; p++) {
    for (let j = 0; j < n; j++) sums[j] = fma(x[p], data[p * n + j], sums[j]);
  }
  return sums;
}

/** 2^27 + 1: splits a double into two halves of 26 bits (Veltkamp). */
const SPLIT = 2 ** 27 + 1;

/**
 * Computes x·y + s in binary64, rounded once except for ties that the last of three parts would break. No part may overflow or underflow.
 * Products by Dekker, sums by Knuth.
 */
export function fma(x: number, y: number, s: number): number {
  const p = x * y;
  const [tx, ty] = [SPLIT * x, SPLIT * y];
  const [xh, yh] = [tx - (tx - x), ty - (ty - y)];
  const [xl, yl] = [x - xh, y - yh];
  const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);
  const sum = p + s;
  const part = sum - p;
  const lost = p - (sum - part) + (s - part);
  return sum + (lost + e);
}
