import { roundingTo } from '../base/rounding.ts';

const SIGN = 0x8000;
const INFINITE = 0x7c00;
const NOT_A_NUMBER = 0x7e00;
const BITS = 10;
const MIN_NORMAL = 2 ** -14;
const MIN_SUBNORMAL = 2 ** -24;
const toHalf = roundingTo(11, -14, 65504);

/** Returns the bits of a number in binary16, rounded to nearest; every NaN becomes the quiet NaN without payload. */
export function halfBits(x: number): number {
  if (Number.isNaN(x)) return NOT_A_NUMBER;
  const rounded = toHalf(x);
  const size = Math.abs(rounded);
  const sign = rounded < 0 || Object.is(rounded, -0) ? SIGN : 0;
  if (size === Number.POSITIVE_INFINITY) return sign | INFINITE;
  if (size < MIN_NORMAL) return sign | (size / MIN_SUBNORMAL);
  // Rounded numbers have fewer than 24 bits, so their binary32 form has the same exponent.
  scratch[0] = size;
  const [word] = scratchBits;
  return sign | ((word >>> 13) - ((127 - 15) << BITS));
}

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** Returns the number that the bits of a binary16 stand for. */
export function fromHalfBits(bits: number): number {
  const sign = bits & SIGN ? -1 : 1;
  const exponent = (bits >>> BITS) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * MIN_SUBNORMAL;
  return sign * (1 + fraction * 2 ** -BITS) * 2 ** (exponent - 15);
}
