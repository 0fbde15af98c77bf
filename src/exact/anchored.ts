import { upperHalf } from './double-double.ts';
import { addToExpansion } from './expansion.ts';

/**
 * The anchors of an inner product of two lines, computed as an expansion of four components, without error and without branches. The
 * exponents of its terms must span a limited window.
 *
 * An accumulator that starts at 1.5·2^E and stays within [2^E, 2^(E+1)) keeps the spacing 2^(E−52). Adding x to it adds x rounded to
 * that spacing, exactly, and the remainder, at most 2^(E−53), is exact as well (the extraction of Rump, Ogita and Oishi, *Accurate
 * floating-point summation*, 2008). Three such anchors in descending order take the remainders of the anchor above. The last remainders
 * add up in an ordinary double, exactly if they stay below 2^53 of the common grid.
 *
 * With M the sum of the magnitudes: 2^(E₁−2) ≥ M; the second anchor gets k remainders of at most 2^(E₁−53) and k product errors that sum
 * up to less than 2^-53·M, so 2^(E₂−2) ≥ (k+1)·2^(E₁−53); the third gets 2k remainders of at most 2^(E₂−53), so 2^(E₃−2) ≥ 2k·2^(E₂−53).
 * The spare quarter covers the roundings to the spacing, 2k·2^(E−53) at most, for k ≤ 2^24.
 */
export interface Anchors {
  readonly first: number;
  readonly second: number;
  readonly third: number;
}

/**
 * Returns the anchors for k products whose magnitudes sum up to at most 2^`top` and whose terms are multiples of 2^`grid`. Undefined if
 * the window is too wide for an exact sum.
 */
export function anchorsFor(k: number, top: number, grid: number): Anchors | undefined {
  const bits = 33 - Math.clz32(k);
  const e1 = top + 2;
  const e2 = e1 - 51 + bits;
  const e3 = e2 - 51 + bits;
  if (bits + e3 - 53 > 53 + grid) return undefined;
  return { first: 1.5 * 2 ** e1, second: 1.5 * 2 ** e2, third: 1.5 * 2 ** e3 };
}

/** Returns the expansion of row `ai` of A against column `bi` of B, k entries each; see {@link Anchors}. */
export function anchoredDot(
  a: Float64Array,
  ai: number,
  bt: Float64Array,
  bi: number,
  k: number,
  { first, second, third }: Anchors,
): number[] {
  let s1 = first;
  let s2 = second;
  let s3 = third;
  let rest = 0;
  for (let t = 0; t < k; t++) {
    const x = a[ai + t];
    const y = bt[bi + t];
    const xh = upperHalf(x);
    const xl = x - xh;
    const yh = upperHalf(y);
    const yl = y - yh;
    const p = x * y;
    const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);

    let next = s1 + p;
    let p2 = p - (next - s1);
    s1 = next;
    next = s2 + p2;
    p2 -= next - s2;
    s2 = next;
    next = s2 + e;
    const e2 = e - (next - s2);
    s2 = next;

    next = s3 + p2;
    rest += p2 - (next - s3);
    s3 = next;
    next = s3 + e2;
    rest += e2 - (next - s3);
    s3 = next;
  }
  const expansion: number[] = [];
  addToExpansion(expansion, rest);
  addToExpansion(expansion, s3 - third);
  addToExpansion(expansion, s2 - second);
  addToExpansion(expansion, s1 - first);
  return expansion;
}
