/** The bits of an f32 as m·2^e (IEEE 754 binary32): like binary64.ts, but several times as fast. */

/** Returns ⌊log2 abs(x)⌋ of the finite x ≠ 0 of these bits, subnormals included. */
export function exponentOf32(word: number): number {
  const field = (word >>> 23) & 0xff;
  return field > 0 ? field - 127 : -118 - Math.clz32(word & 0x7fffff);
}

/** Returns the exponent of the lowest set bit of x: x / 2^lowestBit32 is an odd integer below 2^24. */
export function lowestBit32(word: number): number {
  const field = (word >>> 23) & 0xff;
  const significand = field > 0 ? (word & 0x7fffff) | 0x800000 : word & 0x7fffff;
  return Math.max(field, 1) - 119 - Math.clz32(significand & -significand);
}
