import { exponentOf, lowestBit } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';

/**
 * The exponents of the lines (rows of A, columns of B) of an operand. They bound the exponents of every product of a row and a column
 * without computing it.
 */
export interface ExponentProfile {
  /** For each line, the exponent of its largest entry; {@link ZERO_TOP} if all entries are zero. */
  readonly top: Int32Array;
  /** For each line, an exponent g such that every entry is a multiple of 2^g; {@link ZERO_GRID} if all are zero. */
  readonly grid: Int32Array;
  /** For each line, 1 if every entry is finite, otherwise 0. */
  readonly finite: Uint8Array;
  /** The most significand bits of any entry of any line, without trailing zeros: at most 53. */
  readonly width: number;
}

/** The top of zero: its sum with any other line's top is below all others. */
export const ZERO_TOP = -4096;
/** The grid of zero, which is a multiple of every power of two. */
export const ZERO_GRID = 4096;

/** Allocates the arrays of operands and their profiles, in shared memory for threads. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** Profiles the rows or the columns of a matrix. */
export function profile(
  { rows, cols, data }: Matrix,
  lines: 'rows' | 'columns',
  allocate: Allocate = (bytes) => new ArrayBuffer(bytes),
): ExponentProfile {
  const count = lines === 'rows' ? rows : cols;
  const top = new Int32Array(allocate(4 * count)).fill(ZERO_TOP);
  const grid = new Int32Array(allocate(4 * count)).fill(ZERO_GRID);
  const finite = new Uint8Array(allocate(count)).fill(1);
  const found = { top, grid, finite };
  const each = lines === 'rows' ? { row: 1, col: 0 } : { row: 0, col: 1 };
  const width =
    data instanceof Float32Array
      ? profile32(new Uint32Array(data.buffer, data.byteOffset, data.length), rows, cols, each, found)
      : profile64(data, rows, cols, each, found);
  return { ...found, width };
}

/** The steps to a line's index from row to row, and from column to column. */
interface Moves {
  readonly row: number;
  readonly col: number;
}

type Found = Omit<ExponentProfile, 'width'>;

/** Fills the profile of binary32 entries. @returns the width. */
function profile32(
  words: Uint32Array,
  rows: number,
  cols: number,
  { row, col }: Moves,
  { top, grid, finite }: Found,
): number {
  let width = 0;
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0, line = i * row; j < cols; j++, at++, line += col) {
      const word = words[at];
      const field = (word >>> 23) & 0xff;
      if (field === 0xff) {
        finite[line] = 0;
        continue;
      }
      if ((word & 0x7fffffff) === 0) continue;
      const high = field > 0 ? field - 127 : exponentOf32(word);
      const low = lowestBit32(word);
      if (high > top[line]) top[line] = high;
      if (low < grid[line]) grid[line] = low;
      if (high - low >= width) width = high - low + 1;
    }
  }
  return width;
}

function profile64(
  data: Float64Array,
  rows: number,
  cols: number,
  { row, col }: Moves,
  { top, grid, finite }: Found,
): number {
  let width = 0;
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0, line = i * row; j < cols; j++, at++, line += col) {
      const x = data[at];
      if (x === 0) continue;
      if (!Number.isFinite(x)) {
        finite[line] = 0;
        continue;
      }
      const high = exponentOf(x);
      const low = lowestBit(x);
      if (high > top[line]) top[line] = high;
      if (low < grid[line]) grid[line] = low;
      if (high - low >= width) width = high - low + 1;
    }
  }
  return width;
}

/** The bits of an f32 as m·2^e (IEEE 754 binary32): like binary64.ts, but several times as fast. */

/** Returns ⌊log2 abs(x)⌋ of the finite x ≠ 0 of these bits, subnormals included. */
export function exponentOf32(word: number): number {
  const field = (word >>> 23) & 0xff;
  return field > 0 ? field - 127 : -118 - Math.clz32(word & 0x7fffff);
}

/** Returns the exponent of the lowest set bit of x: x / 2^lowestBit32 is an odd integer below 2^24. */
export function lowestBit32(word: number): number {
  const field = (word >>> 23) & 0xff;
  const significand = field > 0 ? (word & 0x7fffff) | 0x800000 : word & 0x7fffff;
  return Math.max(field, 1) - 119 - Math.clz32(significand & -significand);
}
