/** Reading the bits of an f32 as m·2^e (IEEE 754 binary32): as binary64.ts does, several times as fast. */

/** ⌊log2 abs(x)⌋ of the finite x ≠ 0 of these bits, subnormals included. */
export function exponentOf32(word: number): number {
  const field = (word >>> 23) & 0xff;
  return field > 0 ? field - 127 : -118 - Math.clz32(word & 0x7fffff);
}

/** The exponent of its lowest set bit: x / 2^lowestBit32 is an odd integer below 2^24. */
export function lowestBit32(word: number): number {
  const field = (word >>> 23) & 0xff;
  const significand = field > 0 ? (word & 0x7fffff) | 0x800000 : word & 0x7fffff;
  return Math.max(field, 1) - 119 - Math.clz32(significand & -significand);
}
