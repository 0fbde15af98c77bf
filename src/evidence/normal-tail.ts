/**
 * Returns the chance Q(t) that a standard normal number exceeds t, to 12 digits in both tails: Abramowitz and Stegun, *Handbook of
 * Mathematical Functions*, 26.2.11 (a series) where t is small, 26.2.14 (a continued fraction) beyond.
 */
export function upperTail(t: number): number {
  if (t < 0) return 1 - upperTail(-t);
  const density = Math.exp(-t * (t / 2)) / Math.sqrt(2 * Math.PI);
  if (t < SMALL) {
    let [term, sum] = [t, t];
    for (let odd = 3; term > sum * 2 ** -54; odd += 2) {
      term *= (t * t) / odd;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = t;
  for (let at = TERMS; at >= 1; at--) fraction = t + at / fraction;
  return density / fraction;
}

/** Up to SMALL the series loses less than seven bits to 1/2; beyond it TERMS terms of the fraction have converged. */
const SMALL = 2.5;
const TERMS = 70;

/** Returns the chance that a standard normal number exceeds t ≥ 0 in magnitude: 2·Q(t). */
export function twoSidedTail(t: number): number {
  return 2 * upperTail(t);
}

/** Returns the chance that the largest of `count` independent normal numbers exceeds t in magnitude. */
export function twoSidedTailOfLargest(t: number, count: number): number {
  return -Math.expm1(count * Math.log1p(-twoSidedTail(t)));
}
