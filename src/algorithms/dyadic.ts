/** Significant bits that a factor may have: what binary16, the narrowest format of sums, holds. */
const BITS = 11;
/** Factors are between 2^-EXPONENTS and 2^EXPONENTS in size, so that every format holds them. */
const EXPONENTS = 14;

/** Whether a number is a dyadic rational p·2^q that every format of the tool holds exactly: |p| < 2^11, 2^-14 to 2^14. */
export function isDyadic(x: number): boolean {
  if (x === 0) return true;
  const size = Math.abs(x);
  if (!(size >= 2 ** -EXPONENTS && size <= 2 ** EXPONENTS)) return false;
  const exponent = Math.floor(Math.log2(size));
  return Number.isInteger(size * 2 ** (BITS - 1 - exponent));
}

/** Whether multiplying by a number rounds nothing, underflow and overflow aside. */
export function isPowerOfTwo(x: number): boolean {
  const size = Math.abs(x);
  return size > 0 && 2 ** Math.round(Math.log2(size)) === size;
}
