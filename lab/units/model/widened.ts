import type { Real, Shape } from '../../../src/matrix/dense.ts';
import { type BlockAdder, multiplyByBlocks } from './block-adder.ts';

/** Products of an instruction that the processor does not have. */
const ASKED = 32;

/** Places of these products, in the order that two instructions of half as many take them: of every four the first two, then the others. */
const TAKEN = Array.from(
  { length: ASKED },
  (_, at) => 4 * ((at >> 1) % 8) + 2 * Math.floor(at / 16) + (at % 2),
);

/**
 * D = A·B + C of eight-bit operands on a processor whose `mma` has no such instruction (Hopper, whose `wgmma` has): the compiler makes it
 * of two for binary16, which hold these numbers. The first begins with zero, the second with its sum; what they give is added to C in
 * binary32, to nearest.
 */
export function multiplyWidened(
  adder: BlockAdder,
  a: Real,
  b: Real,
  c: Real | undefined,
  { m, k, n }: Shape,
): Float32Array {
  const out = Float32Array.from({ length: m * n }, (_, at) => c?.[at] ?? 0);
  const [x, y] = [new Float64Array(m * ASKED), new Float64Array(ASKED * n)];
  for (let from = 0; from < k; from += ASKED) {
    TAKEN.forEach((place, at) => {
      const p = from + place;
      for (let i = 0; i < m; i++) x[i * ASKED + at] = p < k ? a[i * k + p] : 0;
      for (let j = 0; j < n; j++) y[at * n + j] = p < k ? b[p * n + j] : 0;
    });
    const sums = multiplyByBlocks(adder, x, y, undefined, { m, k: ASKED, n });
    for (let at = 0; at < out.length; at++) out[at] += sums[at];
  }
  return out;
}
