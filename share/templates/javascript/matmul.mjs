/**
 * C = A·B, row by row: A is m×k, B k×n, C m×n. Put your own kernel here.
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {{ m: number, k: number, n: number }} shape
 */
export function matmul(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
  }
  return c;
}
