import { upperHalf } from './double-double.ts';
import { addToExpansion } from './expansion.ts';

/**
 * Returns the inner product of two lines of k entries as an expansion, without error: each product is split by Dekker's method, and its
 * two parts are added. No product, and no part of one, may overflow or underflow.
 */
export function dotExpansion(a: Float64Array, ai: number, bt: Float64Array, bi: number, k: number): number[] {
  const expansion: number[] = [];
  for (let t = 0; t < k; t++) {
    const x = a[ai + t];
    const y = bt[bi + t];
    const xh = upperHalf(x);
    const xl = x - xh;
    const yh = upperHalf(y);
    const yl = y - yh;
    const p = x * y;
    if (p === 0) continue;
    addToExpansion(expansion, p);
    const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);
    if (e !== 0) addToExpansion(expansion, e);
  }
  return expansion;
}
