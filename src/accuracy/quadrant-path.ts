import { problem } from '../problems.ts';

/**
 * Where an entry of C lies in the recursion: "C21/C12" is quadrant C12 of quadrant C21, "C" the whole matrix when
 * there are no levels. With `pad` the matrix counts as padded once to a multiple of 2^levels, then halved. With
 * `peel` each level halves the largest even part; what is left over ends the path: "C21/right fringe" (all rows)
 * or "C21/bottom fringe".
 * @param i row, from 0 to m − 1.
 * @param j column, from 0 to n − 1.
 * @throws Problem `bad-number` when the entry is outside C or `levels` is no whole number of at least 0.
 */
export function quadrantPath(
  i: number,
  j: number,
  m: number,
  n: number,
  levels: number,
  border: 'pad' | 'peel' = 'pad',
): string {
  for (const [what, given, limit] of [
    ['The row', i, m - 1],
    ['The column', j, n - 1],
    ['The number of levels', levels, 30],
  ] as const) {
    if (!Number.isInteger(given) || given < 0 || given > limit) {
      throw problem('bad-number', { what, given, need: `a whole number from 0 to ${limit}` });
    }
  }
  let [rows, cols] = border === 'pad' ? [padded(m, levels), padded(n, levels)] : [m, n];
  const path: string[] = [];
  for (let level = 0; level < levels; level++) {
    const [midRow, midCol] = [rows >> 1, cols >> 1];
    if (j >= 2 * midCol) return [...path, 'right fringe'].join('/');
    if (i >= 2 * midRow) return [...path, 'bottom fringe'].join('/');
    const [lower, right] = [i >= midRow, j >= midCol];
    path.push(`C${lower ? 2 : 1}${right ? 2 : 1}`);
    if (lower) i -= midRow;
    if (right) j -= midCol;
    [rows, cols] = [midRow, midCol];
  }
  return path.length === 0 ? 'C' : path.join('/');
}

function padded(size: number, levels: number): number {
  return Math.ceil(size / 2 ** levels) * 2 ** levels;
}
