import type { Matrix, RealArray } from './dense.ts';

/** A matrix that is read a few rows at a time, so that a transposed one needs little memory. */
export interface RowReader {
  readonly rows: number;
  readonly cols: number;
  /** Returns rows from ≤ i < to. The next call may overwrite them. */
  read(from: number, to: number): Matrix;
}

/** A matrix, or a reader of one. */
export type Rows = Matrix | RowReader;

/** Reads the rows of a matrix where they lie. */
export function rowsOf(x: Rows): RowReader {
  if ('read' in x) return x;
  const { rows, cols, data } = x;
  return {
    ...{ rows, cols },
    read: (from, to) => ({ rows: to - from, cols, data: data.subarray(from * cols, to * cols) }),
  };
}

/** The rows that are transposed together: what they write stays in a processor's cache. */
const TILE = 16;

/** Reads the columns of a matrix as rows. */
export function columnsOf({ rows: length, cols: count, data }: Matrix): RowReader {
  const make = data.constructor as new (entries: number) => RealArray;
  let kept = new make(0);
  return {
    ...{ rows: count, cols: length },
    read(from, to) {
      const entries = (to - from) * length;
      if (kept.length < entries) kept = new make(entries);
      const out = kept;
      for (let i0 = 0; i0 < length; i0 += TILE) {
        const i1 = Math.min(i0 + TILE, length);
        for (let j = from; j < to; j++) {
          const at = (j - from) * length;
          for (let i = i0; i < i1; i++) out[at + i] = data[i * count + j];
        }
      }
      return { rows: to - from, cols: length, data: out.subarray(0, entries) };
    },
  };
}

/** Reads rows from ≤ i < to alone. */
export function sliceOf(x: Rows, from: number, to: number): Rows {
  const { cols, read } = rowsOf(x);
  return { rows: to - from, cols, read: (i0, i1) => read(from + i0, from + i1) };
}

/** Reads what `change` makes of rows of matrices of one size, from row `from` on. It must not write to what it is given. */
export function mappedRows(
  of: readonly Rows[],
  change: (panels: readonly RealArray[], from: number) => RealArray,
): RowReader {
  const readers = of.map(rowsOf);
  const [{ rows, cols }] = readers;
  return {
    ...{ rows, cols },
    read(from, to) {
      const panels = readers.map((reader) => reader.read(from, to).data);
      return { rows: to - from, cols, data: change(panels, from) };
    },
  };
}

/** Reads a matrix in panels of about so many entries. */
export function* panelsOf(
  x: Rows,
  entries: number,
): Generator<{ readonly from: number; readonly panel: Matrix }> {
  const reader = rowsOf(x);
  const height = Math.max(1, Math.floor(entries / Math.max(1, reader.cols)));
  for (let from = 0; from < reader.rows; from += height)
    yield { from, panel: reader.read(from, Math.min(from + height, reader.rows)) };
}
