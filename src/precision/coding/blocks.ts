import type { Matrix } from '../../matrix/dense.ts';
import type { BlockScale, Operand } from './coding.ts';

/** Lines and entries along k, from the first to the one before the last. */
export interface Region {
  readonly lines: readonly [number, number];
  readonly entries: readonly [number, number];
}

/** How lines and entries along k lie in an operand: rows and columns of A after op, columns and rows of B. */
export interface Lying {
  readonly lines: number;
  readonly entries: number;
  /** Where an entry of a line lies in the data. */
  at(line: number, entry: number): number;
}

type Sized = Pick<Matrix, 'rows' | 'cols'>;

/** How an operand lies that has the size it has after op. */
export const lyingOf = ({ rows, cols }: Sized, side: Operand): Lying =>
  side === 'a'
    ? { lines: rows, entries: cols, at: (line, entry) => line * cols + entry }
    : { lines: cols, entries: rows, at: (line, entry) => entry * cols + line };

/** The size of a matrix of factors: of A and B alike, blocks that follow each other along k lie side by side. */
export function scaleSize(of: Sized, side: Operand, block: Pick<BlockScale, 'lines' | 'entries'>): Sized {
  const { lines, entries } = lyingOf(of, side);
  return { rows: blocksIn(lines, block.lines), cols: blocksIn(entries, block.entries) };
}

/** The last block is shorter where they do not divide the length; one of all is there unless there is nothing. */
const blocksIn = (length: number, block: number): number =>
  block === Number.POSITIVE_INFINITY ? Math.min(length, 1) : Math.ceil(length / block);

/** The blocks of a region in the order of their factors; those of fewer lines or entries at its ends are shorter. */
export function* blocksOf(
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

/** The row and column, among blocks, of the one that an entry of a line stands in. */
export const blockOf = (line: number, entry: number, of: Pick<BlockScale, 'lines' | 'entries'>) => ({
  row: Math.floor(line / of.lines),
  col: Math.floor(entry / of.entries),
});

/** Which factor a region of one block has. */
export function scaleAt(
  { lines: [line], entries: [entry] }: Region,
  of: BlockScale,
  { cols }: Sized,
): number {
  const { row, col } = blockOf(line, entry, of);
  return row * cols + col;
}

/** The factor of an entry of a line. */
export const factorOf = (scales: Matrix, of: BlockScale, line: number, entry: number): number =>
  scales.data[scaleAt({ lines: [line, line], entries: [entry, entry] }, of, scales)];

/** The number that an element stands for, with the product of its factors. */
export const numberOf = (element: number, zero: number, factor: number): number => (element - zero) * factor;
