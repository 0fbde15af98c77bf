import { type OperandSize, operandSize } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';

/** The findings of a scan of rows of a matrix. */
export interface ScannedRows {
  readonly size: OperandSize;
  /** 1 for rows and columns with an entry that is not finite; undefined where all are finite. */
  readonly special: { readonly rows: Uint8Array; readonly cols: Uint8Array } | undefined;
}

/** Measures rows of a matrix, and marks their entries that are not finite. */
export function scanRows(x: Matrix): ScannedRows {
  const size = operandSize(x);
  if (size.maxAbs < Number.POSITIVE_INFINITY) return { size, special: undefined };
  const special = { rows: new Uint8Array(x.rows), cols: new Uint8Array(x.cols) };
  for (let i = 0, e = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++, e++) {
      if (Number.isFinite(x.data[e])) continue;
      special.rows[i] = 1;
      special.cols[j] = 1;
    }
  }
  return { size, special };
}

/** Rows of a matrix, and the findings of their scan. */
interface ScannedPart {
  readonly rows: number;
  readonly cols: number;
  readonly found: ScannedRows;
}

/** Returns the size of a matrix from those of its parts. */
export const joinSizes = (parts: readonly OperandSize[]): OperandSize => ({
  maxAbs: parts.reduce((most, { maxAbs }) => Math.max(most, maxAbs), 0),
  frobenius:
    parts.length === 1
      ? parts[0].frobenius
      : Math.sqrt(parts.reduce((sum, { frobenius }) => sum + frobenius ** 2, 0)),
});

/** Joins scans of parts that lie one below the other. */
export function joinScans(parts: readonly ScannedPart[]): ScannedRows {
  if (parts.length === 1) return parts[0].found;
  const size = joinSizes(parts.map(({ found }) => found.size));
  if (parts.every(({ found }) => found.special === undefined)) return { size, special: undefined };
  const cols = new Uint8Array(parts[0].cols);
  const rows = new Uint8Array(parts.reduce((sum, part) => sum + part.rows, 0));
  let at = 0;
  for (const { rows: height, found } of parts) {
    if (found.special !== undefined) {
      rows.set(found.special.rows, at);
      for (const [j, mark] of found.special.cols.entries()) cols[j] |= mark;
    }
    at += height;
  }
  return { size, special: { rows, cols } };
}
