import { upperHalf } from './double-double.ts';

/**
 * Exact sums as floating-point expansions: a list of doubles whose unevaluated sum is the exact sum. The components do not overlap and
 * grow in magnitude (Shewchuk 1997, GROW-EXPANSION with zero elimination). Exact as long as no addition overflows; additions of doubles
 * never underflow.
 */

/** Adds `x` to the expansion, in place. */
export function addToExpansion(expansion: number[], x: number): void {
  let kept = 0;
  for (let i = 0; i < expansion.length; i++) {
    const y = expansion[i];
    const s = x + y;
    const z = s - x;
    const error = x - (s - z) + (y - z);
    if (error !== 0) expansion[kept++] = error;
    x = s;
  }
  expansion.length = kept;
  if (x !== 0) expansion.push(x);
}

/**
 * Rounds the sum of the expansion once to nearest, ties to even. The largest components are added until one addition rounds. That can be
 * wrong only at a tie which the components below break (the final step of Python's math.fsum).
 */
export function roundExpansion(expansion: readonly number[]): number {
  let at = expansion.length - 1;
  if (at < 0) return 0;
  let sum = expansion[at];
  while (at > 0) {
    const y = expansion[--at];
    const s = sum + y;
    const error = y - (s - sum);
    sum = s;
    if (error === 0) continue;
    if (at > 0 && error > 0 === expansion[at - 1] > 0) {
      const twice = 2 * error;
      const away = sum + twice;
      if (away - sum === twice) sum = away;
    }
    break;
  }
  return sum;
}

/** Rounds an expansion, which it consumes, to value + low, each to nearest, ties to even: low is the rounded remainder. */
export function roundToPair(expansion: number[]): { value: number; low: number } {
  const value = roundExpansion(expansion);
  addToExpansion(expansion, -value);
  return { value, low: roundExpansion(expansion) };
}

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
