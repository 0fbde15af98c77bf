import type { Entries, Gemm } from 'gemm-paranoia';

/** Multiplies in single precision, with sequential sums. */
export function multiply(a: Entries, b: Entries, { m, k, n }: Pick<Gemm, 'm' | 'k' | 'n'>): Float32Array {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) c[i * n + j] = dot(a.subarray(i * k), column(b, j, k, n), k);
  }
  return c;
}

function dot(x: Entries, y: Entries, k: number): number {
  let sum = 0;
  for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround((x[p] ?? 0) * (y[p] ?? 0)));
  return sum;
}

const column = (b: Entries, j: number, k: number, n: number): Entries =>
  Float32Array.from({ length: k }, (_, p) => b[p * n + j] ?? 0);
