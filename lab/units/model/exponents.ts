import { exponentOf } from '../../../src/base/binary64.ts';
import type { Format } from '../../../src/precision/format.ts';

/**
 * Exponents are aligned to no smaller one, where all terms are zeros or far below the smallest normal binary32 number: that of an
 * NVIDIA H200, for which −132 and −134 leave differences (reports/units).
 */
export const ALIGNED_LEAST = -133;

/** The exponent of a zero, with that of any other factor too: no product of its own aligns others. */
const NO_EXPONENT = -1e6;

/** The exponent that a unit reads of a number: a subnormal one has that of the smallest normal number; a zero has none. */
export function exponentIn(format: Pick<Format, 'minNormal'>): (x: number) => number {
  const least = exponentOf(format.minNormal);
  const number = new Float32Array(1);
  const [word] = [new Uint32Array(number.buffer)];
  return (x) => {
    number[0] = x;
    const size = word[0] & 0x7fffffff;
    return size === 0 ? NO_EXPONENT : Math.max((size >>> 23) - 127, least);
  };
}
