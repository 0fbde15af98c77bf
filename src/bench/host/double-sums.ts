import type { Matrix } from '../../matrix/dense.ts';

/**
 * Three loops on one thread of the processor, each entry summed in double and stored in binary32: matrixMulH of Dobravec
 * and Bulić (2017), listing 1, which they took from NVIDIA's samples.
 */
export function doubleSums(a: Matrix, b: Matrix): Matrix<Float32Array> {
  const { rows: m, cols: k } = a;
  const n = b.cols;
  const data = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[p * n + j];
      data[i * n + j] = sum;
    }
  }
  return { rows: m, cols: n, data };
}
