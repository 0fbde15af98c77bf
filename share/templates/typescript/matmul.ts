/** C = A·B, row by row: A is m×k, B k×n, C m×n. Put your own kernel here. */
export function matmul(
  a: Float32Array,
  b: Float32Array,
  { m, k, n }: { readonly m: number; readonly k: number; readonly n: number },
): Float32Array {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
  }
  return c;
}
