import type { RealArray } from '../matrix/dense.ts';
import type { Dtype } from './dtypes.ts';

/** A tensor of a file: row-major entries without gaps, the last dimension varying fastest. */
export interface Tensor {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  /** Entries as numbers: binary32, or binary64 for types that need it. */
  readonly data: RealArray;
}

/** True if this machine stores numbers with the least significant byte first. */
const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns memory that threads read, too, where the runtime has such. */
export const sharedMemory = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Decodes entries. Those of binary32 and binary64 keep the memory of the file where its alignment allows. */
export function entriesOf(bytes: Uint8Array, dtype: Dtype, little = true): RealArray {
  const { buffer, byteOffset, byteLength } = bytes;
  const count = byteLength / dtype.bytes;
  const isNative = little === IS_LITTLE && byteOffset % dtype.bytes === 0;
  if (isNative && dtype.name === 'f32') return new Float32Array(buffer, byteOffset, count);
  if (isNative && dtype.name === 'f64') return new Float64Array(buffer, byteOffset, count);
  const data = dtype.isWide
    ? new Float64Array(sharedMemory(8 * count))
    : new Float32Array(sharedMemory(4 * count));
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let e = 0; e < count; e++) data[e] = dtype.get(view, e * dtype.bytes, little);
  return data;
}

/** Returns the number of entries of a shape. */
export const countOf = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);

/** Reverses the order of dimensions in memory: entries of a column-major tensor become row-major. */
export function fromColumnMajor({ dtype, shape, data }: Tensor): Tensor {
  if (shape.length < 2) return { dtype, shape, data };
  const [rows, cols] = shape.slice(-2);
  const leading = countOf(shape.slice(0, -2));
  const out = new (data.constructor as new (count: number) => RealArray)(data.length);
  const strides = shape.map((_, at) => countOf(shape.slice(0, at)));
  const [rowStep, colStep] = strides.slice(-2);
  for (let p = 0, e = 0; p < leading; p++) {
    let [rest, base] = [p, 0];
    for (let at = shape.length - 3; at >= 0; at--) {
      base += (rest % shape[at]) * strides[at];
      rest = Math.floor(rest / shape[at]);
    }
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < cols; j++) out[e++] = data[base + i * rowStep + j * colStep];
  }
  return { dtype, shape, data: out };
}
