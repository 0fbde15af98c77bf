/** Bytes of a file or of memory. They may be more than one array of bytes holds: 2^32 in Node 20. */
export interface StoredBytes {
  readonly size: number;
  /**
   * Returns a view of bytes where they lie in memory, or of `make(count)`, into which they are read.
   * @throws Error if a file ends before
   */
  view(from: number, count: number, make: (bytes: number) => ArrayBufferLike): DataView;
}

/** Returns bytes of memory as stored bytes: views of them are no copies. */
export const bytesInMemory = ({ buffer, byteOffset, byteLength }: ArrayBufferView): StoredBytes => ({
  size: byteLength,
  view: (from, count) => new DataView(buffer, byteOffset + from, count),
});

/** Returns bytes that one array holds. */
export function arrayOf(bytes: StoredBytes, from: number, count: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes.view(from, count, (size) => new ArrayBuffer(size));
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the first bytes: `count`, or all where they are fewer. */
export const startOf = (bytes: StoredBytes, count: number): Uint8Array =>
  arrayOf(bytes, 0, Math.min(count, bytes.size));

/** Most bytes of one system call: it takes no more than two gigabytes. */
const AT_ONCE = 2 ** 30;

/** Returns memory as arrays of bytes: a single one may not hold all of it. */
export const piecesOf = (
  { buffer, byteOffset, byteLength }: ArrayBufferView,
  atOnce = AT_ONCE,
): Uint8Array[] =>
  Array.from({ length: Math.ceil(byteLength / atOnce) }, (_, piece) => {
    const at = piece * atOnce;
    return new Uint8Array(buffer, byteOffset + at, Math.min(atOnce, byteLength - at));
  });
