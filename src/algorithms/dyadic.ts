/** Most significant bits of a factor: those of binary16, the narrowest accumulation format. */
const BITS = 11;
/** Largest binary exponent of factors: 2^-EXPONENTS to 2^EXPONENTS, so that every format holds them. */
const EXPONENTS = 14;

/** True if a number is a dyadic rational p·2^q that every format of the tool holds exactly: |p| < 2^11, 2^-14 to 2^14. */
export function isDyadic(x: number): boolean {
  if (x === 0) return true;
  const size = Math.abs(x);
  if (!(size >= 2 ** -EXPONENTS && size <= 2 ** EXPONENTS)) return false;
  const exponent = Math.floor(Math.log2(size));
  return Number.isInteger(size * 2 ** (BITS - 1 - exponent));
}

/** True if a multiplication by a number rounds nothing, underflow and overflow aside. */
export function isExactFactor(x: number): boolean {
  const size = Math.abs(x);
  return size > 0 && 2 ** Math.round(Math.log2(size)) === size;
}
