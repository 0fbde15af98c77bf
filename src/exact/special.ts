/**
 * Returns the IEEE 754 answer for an inner product with a NaN or an infinity among its factors: NaN if there is a NaN, a 0·Inf or an
 * Inf−Inf, otherwise the infinity. Finite products are left out: their exact sum is finite, and could only overflow on the way.
 *
 * @param a rows of A; the row starts at `ai`. @param bt columns of B; the column starts at `bi`.
 * @param k the length of both.
 */
export function nonFiniteDot(a: Float64Array, ai: number, bt: Float64Array, bi: number, k: number): number {
  let sum = 0;
  for (let t = 0; t < k; t++) {
    const x = a[ai + t];
    const y = bt[bi + t];
    if (!Number.isFinite(x) || !Number.isFinite(y)) sum += x * y;
  }
  return sum;
}
