import type { RealArray, Shape } from '../../../src/matrix/dense.ts';
import { type BlockAdder, multiplyByBlocks } from './block-adder.ts';

/** The number of products of an instruction that the processor lacks. */
const ASKED = 32;

/** The order in which two instructions of half as many products take them: first the first two of every four, then the others. */
const TAKEN = Array.from(
  { length: ASKED },
  (_, at) => 4 * ((at >> 1) % 8) + 2 * Math.floor(at / 16) + (at % 2),
);

/**
 * Computes D = A·B + C of 8-bit operands on a processor whose `mma` lacks the instruction (Hopper, whose `wgmma` has it). The
 * compiler uses two instructions of binary16, which holds these numbers. The first begins with zero, the second with the first's
 * sum; the result is added to C in binary32, to nearest.
 */
export function multiplyWidened(
  adder: BlockAdder,
  a: RealArray,
  b: RealArray,
  c: RealArray | undefined,
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
