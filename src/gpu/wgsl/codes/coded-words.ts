import type { Matrix } from '../../../matrix/dense.ts';
import { scaleSize } from '../../../precision/coding/blocks.ts';
import type { BlockScale, Coding, Operand } from '../../../precision/coding/coding.ts';
import { type Format, f16, f32 } from '../../../precision/format.ts';

/** An operand whose elements lie on the device as bit patterns, those of a batch one below the other, and what they are multiplied by. */
export interface CodedMatrix {
  readonly coding: Coding;
  readonly elements: Matrix;
  readonly scales: readonly Matrix[];
  readonly zeros?: Matrix | undefined;
  /** How many matrices there are. */
  readonly members: number;
}

/** The operands of a product that are coded. */
export type CodedMatrices = { readonly [of in Operand]?: CodedMatrix | undefined };

/** What the words of factors begin with, before those of each level: where what follows lies in them. */
export const HEADER = { rows: 0, cols: 1, ld: 2, members: 3, zeros: 4, levels: 5 } as const;
/** The words of a level. */
export const LEVEL = { start: 0, lines: 1, entries: 2, rows: 3, cols: 4, words: 5 } as const;
/** What lies between sections of factors, and around them: NaN in every format that has one. */
export const FACTOR_GUARD = 0xffffffff;
/** Blocks of all lines or entries: nothing is as long. */
const ALL = 0xffffffff;

/** Significant bits of elements that the device multiplies by factors exactly as they are rounded once: see `times`. */
const MOST_BITS = 8;
const isPower = ({ precision }: Format): boolean => precision === 1;
const isKept = ({ format }: BlockScale): boolean =>
  format === f32 || format === f16 || (format.code !== undefined && format.code.bits <= 8);

/** Whether the device decodes a coding, with one rounding at most. */
export function isDecodable({ element, scales, zero }: Coding): boolean {
  const inner = scales.slice(0, -1).filter(({ format }) => !isPower(format));
  // A whole number less another one of its format takes 8 bits, whatever their signs.
  const bits = inner.reduce((sum, { format }) => sum + format.precision, element.precision);
  const small = element.code.bits <= 8 && (zero === undefined || (zero.code?.bits ?? 32) <= 8);
  return small && bits <= MOST_BITS && scales.every(isKept);
}

/** Bits that a pattern has room for in a word: 4, 8, 16 or 32. */
export const roomOf = ({ code }: Format): number =>
  code === undefined ? 32 : ([4, 8, 16].find((room) => room >= code.bits) ?? 32);

/** Words that so many patterns of a format take. */
export const wordsOfCodes = (count: number, format: Format): number =>
  Math.ceil((count * roomOf(format)) / 32);

type Sized = Pick<Matrix, 'rows' | 'cols'>;

/** Where the sections of factors lie among their words: each as long as `words`, with one word of guard behind it. */
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

/** Words that factors take, of matrices of one size after op. */
export function wordsOfFactors(coding: Coding, side: Operand, extent: Sized, members = 1): number {
  const sections = sectionsOf(coding, side, extent, members);
  return sections.at(-1)?.end ?? HEADER.levels;
}

/**
 * The words that the device reads of an operand beside its elements: sizes, then the factors of each level and zero points in
 * their own formats' bits.
 * @param ld entries from one row to the next, where elements lie row by row.
 */
export function factorWords(
  { coding, scales, zeros, members }: CodedMatrix,
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

/** Writes patterns of numbers into words, the first one low; numbers of formats without patterns as binary32. */
export function storeCodes(numbers: ArrayLike<number>, { code }: Format, words: Uint32Array): void {
  if (code === undefined) {
    new Float32Array(words.buffer, words.byteOffset, words.length).set(numbers);
    return;
  }
  const room = roomOf({ code } as Format);
  words.fill(0);
  for (let at = 0; at < numbers.length; at++) storeCode(words, at, code.encode(numbers[at]), room);
}

/** Writes one pattern into words of which its room is zero. */
export function storeCode(words: Uint32Array, at: number, pattern: number, room: number): void {
  const each = 32 / room;
  words[Math.floor(at / each)] |= pattern << (room * (at % each));
}
