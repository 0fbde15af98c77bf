/** The 32-bit words of an operand's entry: 1 for binary32, 2 for binary64. */
type EntryWords = 1 | 2;

/**
 * Returns WGSL that decomposes numbers by their bits: `entryAt(e)` is entry e of the storage array `x` of u32 as ±(high·2^32 +
 * low)·2^exponent. Subnormals keep their bits, since no floating-point operation touches them.
 */
function entryBits(words: EntryWords): string {
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

/** The invocations of a workgroup of these passes. Each invocation processes one line. */
export const LINES_AT_ONCE = 64;
/** The entries of a line that an invocation of {@link sizeShader} reads. */
export const ENTRIES_AT_ONCE = 256;

/**
 * Returns WGSL that finds the highest and the lowest bit of each line of a panel. Entry t of line l is at l·lineStride + t·entryStride.
 * `found` holds the tops of all lines, then the grids, then the marks of special values; these must be initialized to {@link NO_TOP},
 * {@link NO_GRID} and 0.
 */
export function sizeShader(words: EntryWords): string {
  return `struct Params { lines: u32, length: u32, lineStride: u32, entryStride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: array<atomic<i32>>;
${entryBits(words)}
@compute @workgroup_size(${LINES_AT_ONCE})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let line = id.x;
  if (line >= params.lines) { return; }
  let begin = id.y * ${ENTRIES_AT_ONCE}u;
  let end = min(begin + ${ENTRIES_AT_ONCE}u, params.length);
  var highest = -0x7fffffff;
  var lowest = 0x7fffffff;
  var special = false;
  for (var t = begin; t < end; t++) {
    let entry = entryAt(line * params.lineStride + t * params.entryStride);
    if (entry.special) { special = true; continue; }
    if ((entry.low | entry.high) == 0u) { continue; }
    let above = select(i32(firstLeadingBit(entry.low)), 32 + i32(firstLeadingBit(entry.high)), entry.high != 0u);
    let below = select(i32(firstTrailingBit(entry.low)), 32 + i32(firstTrailingBit(entry.high)), entry.low == 0u);
    highest = max(highest, entry.exponent + above);
    lowest = min(lowest, entry.exponent + below);
  }
  atomicMax(&found[line], highest);
  atomicMin(&found[params.lines + line], lowest);
  if (special) { atomicOr(&found[2u * params.lines + line], 1); }
}`;
}

/**
 * Returns WGSL that cuts the lines of a panel into digits: an invocation cuts four entries of a line. It adds 128 to each base-256 digit of
 * the two's complement integer, with carries, and subtracts 128 from each byte again by XOR. A word holds four digits of one slice,
 * neighbors along k: that of place p, word w and slice s is at s·sliceStride + p·placeStride + w·wordStride. Entries after the last one of
 * a line are 0. Places after the last line keep the 0 of a new buffer.
 * @param digitWords words of a number that holds all digits: a quarter of the slices, rounded up.
 */
export function sliceShader(words: EntryWords, digitWords: number): string {
  const each = (text: (w: number) => string) =>
    Array.from({ length: digitWords }, (_, w) => text(w)).join('\n');
  return `struct Params { used: u32, length: u32, lineStride: u32, entryStride: u32, slices: u32, sliceStride: u32, placeStride: u32, wordStride: u32, words: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read> grid: array<i32>;
@group(0) @binding(4) var<storage, read_write> digits: array<u32>;
${entryBits(words)}
// Bits at … at + 31 of a 64-bit number, where the others count as 0.
fn bitsFrom(low: u32, high: u32, at: i32) -> u32 {
  if (at <= -32 || at >= 64) { return 0u; }
  if (at < 0) { return low << u32(-at); }
  if (at == 0) { return low; }
  if (at < 32) { return (low >> u32(at)) | (high << u32(32 - at)); }
  return high >> u32(at - 32);
}
fn digitsOf(line: u32, t: u32, unit: i32) -> array<u32, ${digitWords}> {
  var made = array<u32, ${digitWords}>();
  if (t >= params.length) { return made; }
  let entry = entryAt(line * params.lineStride + t * params.entryStride);
  if ((entry.low | entry.high) == 0u) { return made; }
  let shift = entry.exponent - unit;
  let flip = 0u - entry.negative;
  var carry = entry.negative;
${each(
  (w) => `  {
    let word = bitsFrom(entry.low, entry.high, ${32 * w} - shift) ^ flip;
    let raised = word + 0x80808080u;
    let sum = raised + carry;
    carry = select(0u, 1u, raised < word) | select(0u, 1u, sum < raised);
    made[${w}] = sum ^ 0x80808080u;
  }`,
)}
  return made;
}
fn cut(place: u32, word: u32, line: u32, unit: i32) {
  let d0 = digitsOf(line, 4u * word, unit);
  let d1 = digitsOf(line, 4u * word + 1u, unit);
  let d2 = digitsOf(line, 4u * word + 2u, unit);
  let d3 = digitsOf(line, 4u * word + 3u, unit);
  let at = place * params.placeStride + word * params.wordStride;
${each((w) =>
  [0, 1, 2, 3]
    .map((r) => {
      const byte = (q: number) => `(((d${q}[${w}] >> ${8 * r}u) & 0xffu) << ${8 * q}u)`;
      const slice = 4 * w + r;
      return `  if (${slice}u < params.slices) { digits[${slice}u * params.sliceStride + at] = ${[0, 1, 2, 3].map(byte).join(' | ')}; }`;
    })
    .join('\n'),
)}
}
@compute @workgroup_size(${LINES_AT_ONCE})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let place = id.x;
  if (place >= params.used) { return; }
  let line = order[place];
  let unit = grid[place];
  for (var word = id.y; word < params.words; word += groups.y) { cut(place, word, line, unit); }
}`;
}
