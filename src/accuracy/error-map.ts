/** The largest error of each cell of a grid over an m×n result. */
export interface ErrorMap {
  readonly rows: number;
  readonly cols: number;
  /** Row-major, rows·cols. */
  readonly cells: readonly number[];
}

/** Cells along a side, at most: enough to see the blocks of three levels. */
const MOST_CELLS = 32;

/** Maps errors, m·n and row-major, to a grid of at most `most`×`most` cells of nearly equal size. */
export function errorMap(errors: Float64Array, m: number, n: number, most = MOST_CELLS): ErrorMap {
  const [rows, cols] = [Math.min(m, most), Math.min(n, most)];
  const cells = new Float64Array(rows * cols);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const error = Math.abs(errors[i * n + j]);
      if (!(error <= cells[at])) cells[at] = Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
    }
  }
  return { rows, cols, cells: Array.from(cells) };
}
