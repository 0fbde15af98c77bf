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

/** The 32-bit words of entries: a view of them. */
export function wordsOf({ buffer, byteOffset, byteLength }: Entries): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}
