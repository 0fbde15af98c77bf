/** Builds the bytes of a .npy file by hand, of any dtype. */
export function npyBytes(
  descr: string,
  shape: readonly number[],
  entries: ArrayBufferView,
  columnMajor = false,
): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const order = columnMajor ? 'True' : 'False';
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${sizes}), }\n`;
  const text = new TextEncoder().encode(header);
  const data = new Uint8Array(entries.buffer, entries.byteOffset, entries.byteLength);
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 0xff, text.length >> 8];
  return Uint8Array.of(...magic, ...text, ...data);
}

/** Builds the bytes of a .safetensors file: a header, or its text, and the entries. */
export function safetensorsBytes(header: object | string, data: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const length = new DataView(new ArrayBuffer(8));
  length.setBigUint64(0, BigInt(text.length), true);
  return Uint8Array.of(...new Uint8Array(length.buffer), ...text, ...data);
}
