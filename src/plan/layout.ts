import { alignUp } from '../base/numbers.ts';
/**
 * The addresses of the entries of a matrix in a buffer: block-recursive (Morton order over the top levels), so that
 * every block of every level is one contiguous range, and adding two blocks is one linear pass.
 *
 * A split layout holds its parts one after the other (row-major over the grid), then, where the grid does not
 * divide the matrix (peeling), the right fringe (core rows × leftover columns) and the bottom fringe
 * (leftover rows × all columns), both row-major. A leaf is row-major with leading dimension `ld`.
 */
export type BlockLayout = LeafLayout | SplitLayout;

export interface LeafLayout {
  readonly kind: 'leaf';
  readonly rows: number;
  readonly cols: number;
  /** Stored rows; the stored columns are `ld`. They are at least `rows` and `cols`, and more where the leaf is padded to a tile. */
  readonly storedRows: number;
  readonly ld: number;
  /** Reserved entries, alignment included. */
  readonly size: number;
}

export interface SplitLayout {
  readonly kind: 'split';
  readonly rows: number;
  readonly cols: number;
  readonly gridRows: number;
  readonly gridCols: number;
  readonly part: BlockLayout;
  readonly rightFringe: number;
  readonly bottomFringe: number;
  readonly size: number;
}

/** Alignment of blocks, in entries: 256 bytes, WebGPU's largest required binding offset alignment. */
export const ALIGNMENT = 64;

/** Returns a row-major leaf of rows×cols entries, stored padded to multiples of `tileRows` and `tileCols`. */
export function leafLayout(rows: number, cols: number, tileRows = 1, tileCols = 1): LeafLayout {
  const storedRows = alignUp(rows, tileRows);
  const ld = alignUp(cols, tileCols);
  return { kind: 'leaf', rows, cols, storedRows, ld, size: alignUp(storedRows * ld, ALIGNMENT) };
}

/** Returns a rows×cols layout of gridRows×gridCols equal parts, with fringes for the remainder. */
export function splitLayout(
  rows: number,
  cols: number,
  gridRows: number,
  gridCols: number,
  part: BlockLayout,
): SplitLayout {
  const coreRows = gridRows * part.rows;
  const coreCols = gridCols * part.cols;
  const rightFringe = gridRows * gridCols * part.size;
  const bottomFringe = rightFringe + alignUp(coreRows * (cols - coreCols), ALIGNMENT);
  const size = bottomFringe + alignUp((rows - coreRows) * cols, ALIGNMENT);
  return { kind: 'split', rows, cols, gridRows, gridCols, part, rightFringe, bottomFringe, size };
}

/** Returns the offset of entry (i, j), 0-based, from the start of the layout's range. */
export function addressOf(layout: BlockLayout, i: number, j: number): number {
  let offset = 0;
  let here = layout;
  while (here.kind === 'split') {
    const { part } = here;
    const coreRows = here.gridRows * part.rows;
    const coreCols = here.gridCols * part.cols;
    if (i >= coreRows) return offset + here.bottomFringe + (i - coreRows) * here.cols + j;
    if (j >= coreCols) return offset + here.rightFringe + i * (here.cols - coreCols) + (j - coreCols);
    const row = Math.floor(i / part.rows);
    const col = Math.floor(j / part.cols);
    offset += (row * here.gridCols + col) * part.size;
    i -= row * part.rows;
    j -= col * part.cols;
    here = part;
  }
  return offset + i * here.ld + j;
}

/** A row-major rectangle of a layout: rows×cols entries from (row, col), at `offset` with leading dimension `ld`. */
export interface LayoutPiece {
  readonly offset: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  readonly ld: number;
}

/** Returns the rectangles of a layout. Together they cover every entry once. */
export function listPieces(layout: BlockLayout, offset = 0, row = 0, col = 0): LayoutPiece[] {
  const { rows, cols } = layout;
  if (layout.kind === 'leaf') return [{ offset, row, col, rows, cols, ld: layout.ld }];
  const { part, gridRows, gridCols } = layout;
  const coreRows = gridRows * part.rows;
  const coreCols = gridCols * part.cols;
  const pieces: LayoutPiece[] = [];
  for (let p = 0; p < gridRows * gridCols; p++) {
    const [pr, pc] = [Math.floor(p / gridCols), p % gridCols];
    pieces.push(...listPieces(part, offset + p * part.size, row + pr * part.rows, col + pc * part.cols));
  }
  const right = { rows: coreRows, cols: cols - coreCols, ld: cols - coreCols };
  if (right.cols > 0) {
    pieces.push({ offset: offset + layout.rightFringe, row, col: col + coreCols, ...right });
  }
  if (rows > coreRows) {
    const bottom = { rows: rows - coreRows, cols, ld: cols };
    pieces.push({ offset: offset + layout.bottomFringe, row: row + coreRows, col, ...bottom });
  }
  return pieces;
}
