import type { RealArray, Shape } from '../../../src/matrix/dense.ts';

/** The result of a sum beyond 32-bit integers: its low 32 bits, or the nearest 32-bit integer. */
export type IntegerOverflow = 'wraps' | 'saturates';

const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1];

const held: Readonly<Record<IntegerOverflow, (sum: number) => number>> = {
  wraps: (sum) => sum | 0,
  saturates: (sum) => Math.min(Math.max(sum, LEAST), MOST),
};

/**
 * Computes D = A·B + C of integers of at most 8 bits. It is exact, except for sums beyond 32 bits, which wrap or saturate after
 * every `terms` products, as an instruction adds them.
 */
export function multiplyIntegers(
  { terms, overflow }: { readonly terms: number; readonly overflow: IntegerOverflow },
  a: RealArray,
  b: RealArray,
  c: RealArray | undefined,
  { m, k, n }: Shape,
): Float64Array {
  const out = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = c === undefined ? 0 : c[i * n + j];
      for (let from = 0; from < k; from += terms) {
        for (let p = from; p < Math.min(k, from + terms); p++) sum += a[i * k + p] * b[p * n + j];
        sum = held[overflow](sum);
      }
      // Integers have no negative zero.
      out[i * n + j] = sum + 0;
    }
  }
  return out;
}
