/** Conversion of a double to m·2^e by its bits (IEEE 754 binary64), which needs no logarithm. */

const cell = new DataView(new ArrayBuffer(8));

/** Returns ⌊log2 abs(x)⌋ of a finite x ≠ 0, subnormals included. */
export function exponentOf(x: number): number {
  cell.setFloat64(0, x);
  const high = cell.getUint32(0) & 0x7fffffff;
  const field = high >>> 20;
  if (field > 0) return field - 1023;
  return high > 0 ? -1011 - Math.clz32(high) : -1043 - Math.clz32(cell.getUint32(4));
}

/** Returns the exponent of the lowest set bit of a finite x ≠ 0: x / 2^lowestBit(x) is an odd integer below 2^53. */
export function lowestBit(x: number): number {
  cell.setFloat64(0, x);
  const high = cell.getUint32(0);
  const low = cell.getUint32(4);
  const field = (high >>> 20) & 0x7ff;
  const ulp = field > 0 ? field - 1075 : -1074;
  if (low !== 0) return ulp + trailingZeros(low);
  return ulp + 32 + trailingZeros(field > 0 ? (high & 0xfffff) | 0x100000 : high & 0xfffff);
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Computes 2^x with + and × alone, to about 1e-15. `Math.exp` may differ in its last bit between engines. */
export function exp2(x: number): number {
  const whole = Math.round(x);
  const y = (x - whole) * Math.LN2;
  let sum = 1;
  for (let term = 14; term >= 1; term--) sum = 1 + (sum * y) / term;
  return sum * 2 ** whole;
}
