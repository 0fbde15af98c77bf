import type { CodeFunction } from '../../../precision/formats/wgsl.ts';

/**
 * `fn times(a: u32, b: u32) -> u32`: the bits of the product of two binary32 numbers, rounded once to nearest, ties to even, keeping
 * subnormals. The first number has at most 8 significant bits and is not subnormal. It uses integers only, so that all devices give the
 * same bits, even if they flush subnormals or multiply otherwise.
 */
export const times: CodeFunction = {
  name: 'times',
  declaration: `fn times(a: u32, b: u32) -> u32 {
  let sign = (a ^ b) & 0x80000000u;
  let x = a & 0x7fffffffu;
  let y = b & 0x7fffffffu;
  if (max(x, y) >= 0x7f800000u) {
    let isNumber = max(x, y) == 0x7f800000u && min(x, y) != 0u;
    return select(0x7fc00000u, sign | 0x7f800000u, isNumber);
  }
  if (min(x, y) == 0u) { return sign; }
  let few = ((x & 0x7fffffu) | 0x800000u) >> 16u;
  let many = (y & 0x7fffffu) | select(0u, 0x800000u, y >= 0x800000u);
  let product = few * many;
  let leading = i32(firstLeadingBit(product));
  // Of the leading bit, as binary32 writes it.
  let exponent = i32(x >> 23u) + max(1, i32(y >> 23u)) + leading - 157;
  let dropped = leading - 23 + max(0, 1 - exponent);
  if (dropped > 32) { return sign; }
  var kept = 0u;
  if (dropped <= 0) {
    kept = product << u32(-dropped);
  } else {
    let half = 1u << u32(dropped - 1);
    if (dropped < 32) { kept = product >> u32(dropped); }
    let rest = product & (half | (half - 1u));
    if (rest > half || (rest == half && (kept & 1u) == 1u)) { kept++; }
  }
  // The leading bit of what is kept counts as one exponent, and so does a carry out of it.
  return sign | u32(min((clamp(exponent, 1, 255) - 1) * 0x800000 + i32(kept), 0x7f800000));
}`,
};
