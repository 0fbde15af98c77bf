import { listOperands, type Role, type ScheduleValues } from '../algorithms/notation.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import { type BlockLayout, listPieces } from './layout.ts';
import type { Style } from './plan.ts';

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

/**
 * Returns the launches in which a style computes the values of a level, as lists of indices: a product or none, then sums. Sums that no
 * step reads are left out.
 *
 * Scheduled: as the schedule says, except for sums of another matrix's blocks than the launch begins with. Their sizes may differ, so they
 * follow in launches of their own.
 *
 * Wide: all sums of A's blocks, all of B's, the products, then all sums of products. These are the same operations in fewer passes and more
 * workspace. Each sum has the same terms, so C has the same bits.
 */
export function launchesOf(values: ScheduleValues, style: Style): number[][] {
  const needed = neededOf(values);
  const launches = values.groups.flatMap((group) =>
    (['C', 'A', 'B'] as const).map((role) =>
      group.filter((at) => needed.has(at) && values.all[at].role === role),
    ),
  );
  if (style !== 'wide') return launches.filter((group) => group.length > 0);
  const all = launches.flat();
  const sums = (role: Role) =>
    all.filter((at) => values.all[at].kind === 'sum' && values.all[at].role === role);
  const products = all.filter((at) => values.all[at].kind === 'product');
  return [sums('A'), sums('B'), ...products.map((at) => [at]), sums('C')].filter((group) => group.length > 0);
}

/** Returns all products, and the sums that some product or block of C depends on. */
function neededOf({ all, outputs }: ScheduleValues): Set<number> {
  const needed = new Set(outputs);
  for (let at = all.length - 1; at >= 0; at--) {
    if (all[at].kind === 'product') needed.add(at);
    if (needed.has(at)) for (const of of listOperands(all[at])) needed.add(of);
  }
  return needed;
}
