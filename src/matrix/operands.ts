import type { Matrix } from './dense.ts';

/** Entries row by row: binary32 for formats of at most 32 bits, binary64 for wider ones. */
export type Entries = Float32Array | Float64Array;

/** A format of so many bytes an entry. */
interface Stored {
  readonly bytes: number;
}

/** Entries of a format that hold zero: binary32 where that holds it, else binary64. */
export function entriesFor({ bytes }: Stored, length: number): Entries {
  return bytes > 4 ? new Float64Array(length) : new Float32Array(length);
}

/**
 * A copy of an operand as it is to lie in memory: row after row of the matrix or of its transpose, with NaN in the
 * `pad` entries behind each row.
 */
export function layOut({ rows, cols, data }: Matrix, format: Stored, transposed: boolean, pad: number) {
  const [outer, inner] = transposed ? [cols, rows] : [rows, cols];
  const entries = entriesFor(format, outer * (inner + pad));
  if (!transposed && pad === 0) {
    entries.set(data);
    return entries;
  }
  if (pad > 0) entries.fill(Number.NaN);
  const [rowStep, colStep] = transposed ? [1, rows + pad] : [cols + pad, 1];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) entries[i * rowStep + j * colStep] = data[i * cols + j];
  }
  return entries;
}

/** How many entries are no longer the same, bit for bit: all of them where the memory has been given away. */
export function entriesChanged(before: Entries, after: Entries): number {
  if (after.length !== before.length) return before.length;
  const [x, y] = [wordsOf(before), wordsOf(after)];
  const wide = before.BYTES_PER_ELEMENT / 4;
  let changed = 0;
  for (let at = 0; at < x.length; at += wide) {
    if (x[at] !== y[at] || (wide === 2 && x[at + 1] !== y[at + 1])) changed++;
  }
  return changed;
}

function wordsOf({ buffer, byteOffset, byteLength }: Entries): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}
