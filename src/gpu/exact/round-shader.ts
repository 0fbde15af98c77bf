import { NOBODY } from './cut.ts';

/** The size of a workgroup of {@link roundShader}, in invocations. */
export const ROUND_WORKGROUP = { across: 16, down: 4 } as const;

/**
 * Returns WGSL that rounds each sum to two binary64 numbers. A sum is an integer S of `words` words in units of 2^(gridA + gridB). The
 * value is S rounded to nearest, ties to even; `low` is S − value, rounded likewise. Both are zero or normal: see `bitsOf`. An entry is
 * written to the place of its original row and column.
 */
export function roundShader(words: number): string {
  return `struct Params { placesA: u32, placesB: u32, planeStride: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> sums: array<u32>;
@group(0) @binding(2) var<storage, read> orderA: array<u32>;
@group(0) @binding(3) var<storage, read> orderB: array<u32>;
@group(0) @binding(4) var<storage, read> gridA: array<i32>;
@group(0) @binding(5) var<storage, read> gridB: array<i32>;
@group(0) @binding(6) var<storage, read_write> values: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> lows: array<vec2<u32>>;
alias Words = array<u32, ${words}>;
struct Rounded { bits: vec2<u32>, rest: Words, restNegative: bool }
// 32 bits of a number from bit 'at' on; those beyond its words are 0.
fn bitsFrom(number: ptr<function, Words>, at: u32) -> u32 {
  let word = at / 32u;
  let shift = at % 32u;
  if (word >= ${words}u) { return 0u; }
  var found = (*number)[word] >> shift;
  if (shift > 0u && word + 1u < ${words}u) { found |= (*number)[word + 1u] << (32u - shift); }
  return found;
}
// The number's highest 53 bits, rounded, as a binary64 number in units of 2^unit; and what is left.
fn rounded(number: ptr<function, Words>, negative: bool, unit: i32) -> Rounded {
  var made = Rounded(vec2<u32>(), Words(), false);
  var top = ${words}u;
  for (; top > 0u; top--) { if ((*number)[top - 1u] != 0u) { break; } }
  if (top == 0u) { return made; }
  let highest = 32u * (top - 1u) + firstLeadingBit((*number)[top - 1u]);
  var low = 0u;
  var high = 0u;
  var exponent = unit + i32(highest);
  if (highest <= 52u) {
    let up = 52u - highest;
    let n0 = (*number)[0];
    let n1 = (*number)[1];
    if (up >= 32u) { high = n0 << (up - 32u); }
    else if (up > 0u) { low = n0 << up; high = (n1 << up) | (n0 >> (32u - up)); }
    else { low = n0; high = n1; }
  } else {
    let drop = highest - 52u;
    low = bitsFrom(number, drop);
    high = bitsFrom(number, drop + 32u);
    for (var word = 0u; word < ${words}u; word++) {
      if (32u * word + 32u <= drop) { made.rest[word] = (*number)[word]; }
      else if (32u * word < drop) { made.rest[word] = (*number)[word] & ((1u << (drop - 32u * word)) - 1u); }
    }
    let half = drop - 1u;
    let halfWord = half / 32u;
    let halfBit = 1u << (half % 32u);
    var below = made.rest[halfWord] & (halfBit - 1u);
    for (var word = 0u; word < halfWord; word++) { below |= made.rest[word]; }
    if ((made.rest[halfWord] & halfBit) != 0u && (below != 0u || (low & 1u) == 1u)) {
      // Rounds up: what is left is 2^drop less.
      made.restNegative = true;
      var carry = 1u;
      for (var word = 0u; word < ${words}u; word++) {
        let flipped = ~made.rest[word] + carry;
        carry = select(0u, 1u, carry == 1u && flipped == 0u);
        made.rest[word] = 0u;
        if (32u * word + 32u <= drop) { made.rest[word] = flipped; }
        else if (32u * word < drop) { made.rest[word] = flipped & ((1u << (drop - 32u * word)) - 1u); }
      }
      low++;
      if (low == 0u) { high++; }
      if (high == 0x200000u) { high = 0x100000u; exponent++; }
    }
  }
  made.bits = vec2<u32>(low, (select(0u, 1u, negative) << 31u) | (u32(exponent + 1023) << 20u) | (high & 0xfffffu));
  return made;
}
@compute @workgroup_size(${ROUND_WORKGROUP.across}, ${ROUND_WORKGROUP.down})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.placesB || id.y >= params.placesA) { return; }
  let row = orderA[id.y];
  let col = orderB[id.x];
  if (row == ${NOBODY}u || col == ${NOBODY}u) { return; }
  let at = id.y * params.placesB + id.x;
  var number = Words();
  for (var word = 0u; word < ${words}u; word++) { number[word] = sums[word * params.planeStride + at]; }
  let negative = (number[${words - 1}] >> 31u) == 1u;
  if (negative) {
    var carry = 1u;
    for (var word = 0u; word < ${words}u; word++) {
      number[word] = ~number[word] + carry;
      carry = select(0u, 1u, carry == 1u && number[word] == 0u);
    }
  }
  let unit = gridA[id.y] + gridB[id.x];
  var value = rounded(&number, negative, unit);
  var rest = value.rest;
  let low = rounded(&rest, negative != value.restNegative, unit);
  values[row * params.cols + col] = value.bits;
  lows[row * params.cols + col] = low.bits;
}`;
}
