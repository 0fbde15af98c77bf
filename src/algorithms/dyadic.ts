import { type Rational, rational } from '../base/rational.ts';

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

/** A dyadic number as a fraction, exactly. */
export function exactly(x: number): Rational {
  return rational(BigInt(x * 2 ** (BITS + EXPONENTS)), 1n << BigInt(BITS + EXPONENTS));
}

/** What `1/2`, `0.5` or `-3` stands for; NaN for anything else. */
export function parseFactor(text: string): number {
  const [, num, den = '1'] = /^(-?\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text) ?? [];
  return num === undefined ? Number.NaN : Number(num) / Number(den);
}

/** A factor as notation writes it: `3`, `1/2`. */
export function factorText(factor: number): string {
  if (Number.isInteger(factor)) return String(factor);
  let den = 1;
  while (!Number.isInteger(factor * den)) den *= 2;
  return `${factor * den}/${den}`;
}
