import type { Matrix } from './dense.ts';

/** Entries in row-major order: binary32 for formats of at most 32 bits, binary64 for wider ones. */
export type Entries = Float32Array | Float64Array;

/** A format, by the bytes of an entry. */
interface Stored {
  readonly bytes: number;
}

/** Returns entries of a format, filled with zeros: binary32 if that holds the format, otherwise binary64. */
export function allocateEntries({ bytes }: Stored, length: number): Entries {
  return bytes > 4 ? new Float64Array(length) : new Float32Array(length);
}

/** Counts the entries whose bits have changed. All entries count as changed if their memory was detached. */
export function entriesChanged(before: Entries, after: Entries): number {
  if (after.length !== before.length) return before.length;
  const [x, y] = [viewWords(before), viewWords(after)];
  const wide = before.BYTES_PER_ELEMENT / 4;
  let changed = 0;
  for (let at = 0; at < x.length; at += wide) {
    if (x[at] !== y[at] || (wide === 2 && x[at + 1] !== y[at + 1])) changed++;
  }
  return changed;
}

/** Returns the 32-bit words of entries, as a view. */
export function viewWords({ buffer, byteOffset, byteLength }: Entries): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** A coded matrix, or the coded matrices of a batch one below the other. All parts are numbers, which their formats hold exactly. */
export interface CodedMatrix {
  /** The elements in the order of the matrix after op: rows×cols, in binary32. */
  readonly elements: Matrix;
  /**
   * One matrix for each scale of the coding: ⌈lines / block⌉ rows and ⌈k / block⌉ columns, for A and B alike. Factors of blocks that are
   * neighbors along k lie side by side.
   */
  readonly scales: readonly Matrix[];
  /** The zero points of the same blocks as the first scales. */
  readonly zeros?: Matrix | undefined;
}

/** A coded matrix, and the numbers that its codes stand for. The codes are valid for this decoded matrix only. */
export interface QuantizedMatrix {
  readonly coded: CodedMatrix;
  readonly decoded: Matrix;
}

/** The coded operands of a product. Kernels receive an absent one as numbers. */
export interface CodedOperands {
  readonly a?: QuantizedMatrix | undefined;
  readonly b?: QuantizedMatrix | undefined;
}
