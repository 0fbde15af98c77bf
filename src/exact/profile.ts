import { exponentOf, lowestBit } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { ResultBlock } from './sums.ts';

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

/** The exponents of lines, before or after they are read: an {@link ExponentProfile} without its width. */
export type LineExponents = Omit<ExponentProfile, 'width'>;

/** Allocates the exponents of lines, as those of lines of zeros. */
export function emptyLines(
  count: number,
  allocate: Allocate = (bytes) => new ArrayBuffer(bytes),
): LineExponents {
  return {
    top: new Int32Array(allocate(4 * count)).fill(ZERO_TOP),
    grid: new Int32Array(allocate(4 * count)).fill(ZERO_GRID),
    finite: new Uint8Array(allocate(count)).fill(1),
  };
}

/** Profiles the rows or the columns of a matrix. */
export function profile(x: Matrix, lines: 'rows' | 'columns'): ExponentProfile {
  const count = lines === 'rows' ? x.rows : x.cols;
  const found = emptyLines(count);
  return { ...found, width: profileLines(x, lines, 0, count, found) };
}

/** Fills the exponents of the rows or columns from ≤ line < to of a matrix. @returns the width of their entries. */
export function profileLines(
  { rows, cols, data }: Matrix,
  lines: 'rows' | 'columns',
  from: number,
  to: number,
  found: LineExponents,
): number {
  const ofRows = lines === 'rows';
  const block = ofRows ? { i0: from, i1: to, j0: 0, j1: cols } : { i0: 0, i1: rows, j0: from, j1: to };
  const each = ofRows ? { row: 1, col: 0 } : { row: 0, col: 1 };
  return data instanceof Float32Array
    ? profile32(new Uint32Array(data.buffer, data.byteOffset, data.length), cols, block, each, found)
    : profile64(data, cols, block, each, found);
}

/** The steps to a line's index from row to row, and from column to column. */
interface Moves {
  readonly row: number;
  readonly col: number;
}

/** Fills the profile of a block of binary32 entries. @returns the width. */
function profile32(
  words: Uint32Array,
  cols: number,
  { i0, i1, j0, j1 }: ResultBlock,
  { row, col }: Moves,
  { top, grid, finite }: LineExponents,
): number {
  let width = 0;
  for (let i = i0; i < i1; i++) {
    for (let j = j0, at = i * cols + j0, line = i * row + j0 * col; j < j1; j++, at++, line += col) {
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
  cols: number,
  { i0, i1, j0, j1 }: ResultBlock,
  { row, col }: Moves,
  { top, grid, finite }: LineExponents,
): number {
  let width = 0;
  for (let i = i0; i < i1; i++) {
    for (let j = j0, at = i * cols + j0, line = i * row + j0 * col; j < j1; j++, at++, line += col) {
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
