import type { Entries, Gemm } from 'gemm-paranoia';

/** C = A·B by three loops, every sum rounded to the precision of the operands. */
export function multiply(a: Entries, b: Entries, { m, k, n }: Gemm): Entries {
  const c = a instanceof Float32Array ? new Float32Array(m * n) : new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
  }
  return c;
}
