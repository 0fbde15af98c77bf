import { exponentOf } from '../../../src/base/binary64.ts';
import type { Format } from '../../../src/precision/format.ts';

/**
 * The least exponent to which terms are aligned, if all terms are zeros or far below the smallest normal binary32 number.
 * Measured on an NVIDIA H200, where −132 and −134 leave differences (reports/units).
 */
export const ALIGNED_LEAST = -133;

/** The exponent of a zero, low enough with any other factor's that its product aligns no others. */
const NO_EXPONENT = -1e6;

/** Returns the exponent that a unit reads from a number. A subnormal number has that of the smallest normal one; a zero has none. */
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
