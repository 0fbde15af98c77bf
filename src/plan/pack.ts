import type { Matrix, RealArray } from '../matrix/dense.ts';
import { type BlockLayout, listPieces } from './layout.ts';

/**
 * Copies a dense matrix into a layout's range of `target` (from entry 0). Entries of the layout outside the matrix (padding) are left as
 * they are, so pass a zeroed array.
 */
export function packBlocks(source: Matrix, layout: BlockLayout, target: RealArray): void {
  for (const piece of listPieces(layout)) {
    const rows = Math.min(piece.rows, source.rows - piece.row);
    const cols = Math.min(piece.cols, source.cols - piece.col);
    if (cols <= 0) continue;
    for (let i = 0; i < rows; i++) {
      const from = (piece.row + i) * source.cols + piece.col;
      target.set(source.data.subarray(from, from + cols), piece.offset + i * piece.ld);
    }
  }
}

/** Copies back the rows×cols part of a layout's range that the dense `target` covers. */
export function unpackBlocks(source: RealArray, layout: BlockLayout, target: Matrix): void {
  for (const piece of listPieces(layout)) {
    const rows = Math.min(piece.rows, target.rows - piece.row);
    const cols = Math.min(piece.cols, target.cols - piece.col);
    if (cols <= 0) continue;
    for (let i = 0; i < rows; i++) {
      const from = piece.offset + i * piece.ld;
      target.data.set(source.subarray(from, from + cols), (piece.row + i) * target.cols + piece.col);
    }
  }
}
