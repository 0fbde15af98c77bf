/** How many 32-bit words an entry of an operand has: 1 for binary32, 2 for binary64. */
export type EntryWords = 1 | 2;

/**
 * WGSL that takes numbers apart by their bits: `entryAt(e)` is entry e of the storage array `x` of u32 as
 * ±(high·2^32 + low)·2^exponent. Subnormals keep their bits, since no floating-point operation touches them.
 */
export function entryBits(words: EntryWords): string {
  const read =
    words === 1
      ? `let bits = x[e];
  let field = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;
  return Entry(select(fraction, fraction | 0x800000u, field > 0u), 0u, i32(max(field, 1u)) - 150, bits >> 31u, field == 0xffu);`
      : `let upper = x[2u * e + 1u];
  let field = (upper >> 20u) & 0x7ffu;
  let fraction = upper & 0xfffffu;
  return Entry(x[2u * e], select(fraction, fraction | 0x100000u, field > 0u), i32(max(field, 1u)) - 1075, upper >> 31u, field == 0x7ffu);`;
  return `struct Entry { low: u32, high: u32, exponent: i32, negative: u32, special: bool }
fn entryAt(e: u32) -> Entry {
  ${read}
}`;
}
