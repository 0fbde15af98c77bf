import type { Matrix } from '../../../matrix/dense.ts';
import { type BlockScale, type Coding, type Operand, scaleSize } from '../../../precision/coding/coding.ts';
import { type Format, f16, f32 } from '../../../precision/format.ts';
import type { CodeFunction } from '../../../precision/formats/wgsl.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';

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

/** A coded operand whose elements lie on the device as bit patterns, with its factors. The matrices of a batch lie one below the other. */
export interface DeviceCodedMatrix {
  readonly coding: Coding;
  readonly elements: Matrix;
  readonly scales: readonly Matrix[];
  readonly zeros?: Matrix | undefined;
  readonly members: number;
}

export type DeviceCodedMatrices = { readonly [of in Operand]?: DeviceCodedMatrix | undefined };

/** The header of the words of factors, before the words of each level: the index of each field. */
export const HEADER = { rows: 0, cols: 1, ld: 2, members: 3, zeros: 4, levels: 5 } as const;
/** The fields of a level, and their number. */
export const LEVEL = { start: 0, lines: 1, entries: 2, rows: 3, cols: 4, words: 5 } as const;
/** The guard word between and around sections of factors: NaN in every format that has one. */
export const FACTOR_GUARD = 0xffffffff;
/** The size of a block that covers all lines or entries: no matrix is that long. */
const ALL = 0xffffffff;

/** The most significant bits of an element that the device multiplies by a factor with one rounding: see `times`. */
const MOST_BITS = 8;
const isPower = ({ precision }: Format): boolean => precision === 1;
const isKept = ({ format }: BlockScale): boolean =>
  format === f32 || format === f16 || (format.code !== undefined && format.code.bits <= 8);

/** True if the device can decode a coding with one rounding at most. */
export function isDecodable({ element, scales, zero }: Coding): boolean {
  const inner = scales.slice(0, -1).filter(({ format }) => !isPower(format));
  // The difference of two whole numbers of the format takes 8 bits, whatever their signs.
  const bits = inner.reduce((sum, { format }) => sum + format.precision, element.precision);
  const small = element.code.bits <= 8 && (zero === undefined || (zero.code?.bits ?? 32) <= 8);
  return small && bits <= MOST_BITS && scales.every(isKept);
}

/** Returns the bits that a pattern takes in a word: 4, 8, 16 or 32. */
export const roomOf = ({ code }: Format): number =>
  code === undefined ? 32 : ([4, 8, 16].find((room) => room >= code.bits) ?? 32);

/** Returns the words that `count` patterns of a format take. */
export const wordsOfCodes = (count: number, format: Format): number =>
  Math.ceil((count * roomOf(format)) / 32);

type Sized = Pick<Matrix, 'rows' | 'cols'>;

/** Returns the sections of factors within their words. A guard word follows each section. */
function sectionsOf({ scales, zero }: Coding, side: Operand, extent: Sized, members: number) {
  const sized = scales.map((block) => ({ ...scaleSize(extent, side, block), format: block.format }));
  const all = zero === undefined ? sized : [...sized, { ...sized[0], format: zero }];
  let at = HEADER.levels + LEVEL.words * scales.length + 1;
  return all.map(({ rows, cols, format }) => {
    const start = at;
    at += wordsOfCodes(members * rows * cols, format) + 1;
    return { rows, cols, format, start, end: at };
  });
}

/**
 * Returns the words that the factors of matrices take.
 * @param extent the rows and columns of each matrix after op.
 */
export function wordsOfFactors(coding: Coding, side: Operand, extent: Sized, members = 1): number {
  const sections = sectionsOf(coding, side, extent, members);
  return sections.at(-1)?.end ?? HEADER.levels;
}

/**
 * Returns the words that the device reads beside an operand's elements: sizes, then the factors of each level and zero points as bits of
 * their own formats.
 * @param ld entries from one row to the next, for row-major elements.
 */
export function codedFactorWords(
  { coding, scales, zeros, members }: DeviceCodedMatrix,
  side: Operand,
  extent: Sized,
  ld: number,
): Uint32Array {
  const words = new Uint32Array(wordsOfFactors(coding, side, extent, members)).fill(FACTOR_GUARD);
  const sections = sectionsOf(coding, side, extent, members);
  const ofZeros = coding.zero === undefined ? undefined : sections.at(-1);
  words.set([extent.rows, extent.cols, ld, members, ofZeros?.start ?? 0]);
  for (const [level, { lines, entries }] of coding.scales.entries()) {
    const { start, rows, cols } = sections[level];
    const sizes = [lines, entries].map((size) => (size === Number.POSITIVE_INFINITY ? ALL : size));
    words.set([start, ...sizes, rows, cols], HEADER.levels + LEVEL.words * level);
  }
  const all = [...scales, ...(zeros === undefined ? [] : [zeros])];
  for (const [at, { data }] of all.entries()) {
    const { start, end, format } = sections[at];
    storeCodes(data, format, words.subarray(start, end - 1));
  }
  return words;
}

/** Writes the patterns of numbers into words, from the lowest bits up. Numbers of formats without patterns are written as binary32. */
function storeCodes(numbers: ArrayLike<number>, { code }: Format, words: Uint32Array): void {
  if (code === undefined) {
    new Float32Array(words.buffer, words.byteOffset, words.length).set(numbers);
    return;
  }
  const room = roomOf({ code } as Format);
  words.fill(0);
  for (let at = 0; at < numbers.length; at++) storeCode(words, at, code.encode(numbers[at]), room);
}

/** Writes one pattern into words whose bits at its place are zero. */
export function storeCode(words: Uint32Array, at: number, pattern: number, room: number): void {
  const each = 32 / room;
  words[Math.floor(at / each)] |= pattern << (room * (at % each));
}

/** Returns the numeric of a precision whose leaf products decode operands while loading them, entry by entry. */
export const codedNumeric = (numeric: Numeric, coded: Numeric['coded']): Numeric =>
  coded?.a === undefined && coded?.b === undefined
    ? numeric
    : { ...numeric, prelude: `${numeric.prelude}\n${times.declaration}`, lanes: false, coded };
