import type { Item } from '../../base/registry.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type CodedFormat, type Format, f32, f64 } from '../format.ts';

/** An operand of a product. */
export type Operand = 'a' | 'b';

/**
 * The factors of blocks: one for each run of `lines` lines and `entries` entries along k. A line is a row of op(A), or a column of
 * op(B). `Infinity` stands for all: the factor of a whole tensor has Infinity lines and Infinity entries.
 */
export interface BlockScale {
  readonly lines: number;
  readonly entries: number;
  readonly format: Format;
  /** True if a factor may be negative. @defaultValue false */
  readonly signed?: boolean | undefined;
  /** True for a factor of the minimum of blocks, which is subtracted from their numbers. @defaultValue false */
  readonly subtracted?: boolean | undefined;
}

/**
 * A coding of a matrix as elements of few bits and factors of blocks. Each of its numbers is (element − zero point) · the product of the
 * factors of its blocks, less the product of those that are subtracted.
 */
export interface Coding {
  readonly element: CodedFormat;
  /** The factors, from the smallest blocks to the largest. */
  readonly scales: readonly BlockScale[];
  /** The format of zero points, one for each block of the first of the scales. @defaultValue no zero points: all are 0 */
  readonly zero?: Format | undefined;
}

/** True if elements lie beside numbers by an offset: a zero point, or a minimum. */
export const hasOffsets = ({ zero, scales }: Pick<Coding, 'zero' | 'scales'>): boolean =>
  zero !== undefined || hasMinima({ scales });

/** True if the factors of blocks are whole numbers, times a factor of a larger block. */
export const hasWholeScales = ({ scales: [{ format }] }: Pick<Coding, 'scales'>): boolean =>
  format.minSubnormal === 1;

/** True if minima of blocks are subtracted. */
export const hasMinima = ({ scales }: Pick<Coding, 'scales'>): boolean =>
  scales.some(({ subtracted }) => subtracted === true);

/** The codings of a product's operands. Kernels receive an operand without a coding as numbers. */
export interface OperandCodings extends Item {
  readonly source: string;
  readonly coded: { readonly [of in Operand]?: Coding | undefined };
}

/** A size that stands for all lines, or all of k. */
export const ALL = Number.POSITIVE_INFINITY;

/** Returns a scale with a factor for each block of `lines` lines and `entries` entries along k. */
export const scaleOf = (lines: number, entries: number, format: Format): BlockScale => ({
  lines,
  entries,
  format,
});

/** Returns the same coding for both operands. */
export const both = (coding: Coding): OperandCodings['coded'] => ({ a: coding, b: coding });

/** A range of lines and of entries along k; ends are exclusive. */
export interface Region {
  readonly lines: readonly [number, number];
  readonly entries: readonly [number, number];
}

/** The lines of an operand, and the entries of each along k: rows and columns of A after op, columns and rows of B. */
export interface LineAccess {
  readonly lines: number;
  readonly entries: number;
  /** Returns the index of a line's entry in the data. */
  at(line: number, entry: number): number;
}

type Sized = Pick<Matrix, 'rows' | 'cols'>;

/** Returns the lines of an operand from its size after op. */
export const lineAccessOf = ({ rows, cols }: Sized, side: Operand): LineAccess =>
  side === 'a'
    ? { lines: rows, entries: cols, at: (line, entry) => line * cols + entry }
    : { lines: cols, entries: rows, at: (line, entry) => entry * cols + line };

/** Returns the size of a matrix of factors, for A and B alike: blocks that are neighbors along k lie side by side. */
export function scaleSize(of: Sized, side: Operand, block: Pick<BlockScale, 'lines' | 'entries'>): Sized {
  const { lines, entries } = lineAccessOf(of, side);
  return { rows: blocksIn(lines, block.lines), cols: blocksIn(entries, block.entries) };
}

/** Counts blocks; the last one may be shorter. A block of all entries counts as one, unless there are no entries. */
const blocksIn = (length: number, block: number): number =>
  block === Number.POSITIVE_INFINITY ? Math.min(length, 1) : Math.ceil(length / block);

/** Yields the blocks of a region in the order of their factors. Blocks at its ends may be shorter. */
export function* listBlocks(
  { lines, entries }: Region,
  block: Pick<BlockScale, 'lines' | 'entries'>,
): Generator<Region> {
  for (const line of parts(lines, block.lines)) {
    for (const entry of parts(entries, block.entries)) yield { lines: line, entries: entry };
  }
}

function* parts([from, to]: readonly [number, number], size: number): Generator<readonly [number, number]> {
  for (let at = from; at < to; at += size) yield [at, Math.min(at + size, to)];
}

/** Returns the row and column, among blocks, of the block with an entry of a line. */
export const blockIndexOf = (line: number, entry: number, of: Pick<BlockScale, 'lines' | 'entries'>) => ({
  row: Math.floor(line / of.lines),
  col: Math.floor(entry / of.entries),
});

/** Returns the index of the factor of a region within one block. */
export function scaleAt(
  { lines: [line], entries: [entry] }: Region,
  of: BlockScale,
  { cols }: Sized,
): number {
  const { row, col } = blockIndexOf(line, entry, of);
  return row * cols + col;
}

/** Returns the factor of an entry of a line. */
export const factorOfEntry = (scales: Matrix, of: BlockScale, line: number, entry: number): number =>
  scales.data[scaleAt({ lines: [line, line], entries: [entry, entry] }, of, scales)];

/** Returns the number that an element stands for, from the product of its factors and its minimum. */
export const decodeElement = (element: number, zero: number, factor: number, minimum = 0): number =>
  (element - zero) * factor - minimum;

/** Returns the product of the factors of a block, and its minimum: 0 where no scales are subtracted. */
export function factorsFrom(
  scales: readonly BlockScale[],
  at: (level: number) => number,
): { readonly factor: number; readonly minimum: number } {
  let [factor, minimum, isLess] = [1, 1, false];
  for (const [level, { subtracted = false }] of scales.entries()) {
    if (subtracted) [minimum, isLess] = [minimum * at(level), true];
    else factor *= at(level);
  }
  return { factor, minimum: isLess ? minimum : 0 };
}

/** Returns the bits of products of elements and factors. A minimum may lie far below or above them, within those of binary64. */
function bitsOf({ element, scales, zero }: Coding): number {
  if (hasMinima({ scales })) return Number.POSITIVE_INFINITY;
  // A whole number minus a zero point may take one bit more, and so may the least number of two's complement.
  const ofElement = element.precision + (zero === undefined ? 0 : 1);
  return scales.reduce((sum, { format }) => sum + (format.precision > 1 ? format.precision : 0), ofElement);
}

/**
 * Returns a format that holds every number of a coding: binary32 if their bits fit it and the smallest is no smaller than its own,
 * otherwise binary64. Powers of two may be so large that binary32 overflows; decoding refuses those.
 */
export function decodedFormat(coding: Coding): Format {
  const least = coding.scales.reduce(
    (size, { format }) => size * format.minSubnormal,
    coding.element.minSubnormal,
  );
  return bitsOf(coding) <= f32.precision && least >= f32.minSubnormal ? f32 : f64;
}
