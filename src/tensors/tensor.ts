import { lookUp } from '../base/objects.ts';
import type { StoredBytes } from '../base/stored-bytes.ts';
import { MOST_ENTRIES, type RealArray } from '../matrix/dense.ts';
import type { Dtype } from './dtypes.ts';
import { tensorUnreadable } from './messages.ts';

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

/** The place of a tensor in a file or in memory. */
export interface StoredTensor extends Omit<Tensor, 'data'> {
  /** The file or tensor, in messages. */
  readonly file: string;
  readonly bytes: StoredBytes;
  /** The offset of its entries. */
  readonly from: number;
  /** True if the least significant byte comes first. @defaultValue true */
  readonly isLittle?: boolean;
  /** @defaultValue false */
  readonly isColumnMajor?: boolean;
}

/** Allocates memory that threads read, too. */
type MakeMemory = (bytes: number) => ArrayBufferLike;

/** Entries that are decoded at once. */
const AT_ONCE = 2 ** 22;

/**
 * Reads a tensor. Entries of binary32 and binary64 keep the memory of the file where its alignment allows; others are decoded in parts.
 * @param atOnce the entries of a part.
 * @throws ParanoiaError `tensor-unreadable` for more than {@link MOST_ENTRIES}
 */
export function readStored(stored: StoredTensor, make: MakeMemory = sharedMemory, atOnce = AT_ONCE): Tensor {
  const { file, dtype, shape, isColumnMajor = false } = stored;
  const count = countOf(shape);
  if (count > MOST_ENTRIES) {
    const why = `its ${count} entries are more than ${MOST_ENTRIES}`;
    throw tensorUnreadable({ file, why, next: 'Check blocks of its rows' });
  }
  const tensor = { dtype, shape, data: entriesOf(stored, count, make, atOnce) };
  return isColumnMajor ? fromColumnMajor(tensor, make) : tensor;
}

const NATIVE: Readonly<
  Record<string, new (memory: ArrayBufferLike, at: number, count: number) => RealArray>
> = { f32: Float32Array, f64: Float64Array };

function entriesOf(
  { bytes, from, dtype, isLittle = true }: StoredTensor,
  count: number,
  make: MakeMemory,
  atOnce: number,
): RealArray {
  const Native = isLittle === IS_LITTLE ? lookUp(NATIVE, dtype.name) : undefined;
  if (Native !== undefined) {
    const { buffer, byteOffset } = bytes.view(from, count * dtype.bytes, make);
    if (byteOffset % dtype.bytes === 0) return new Native(buffer, byteOffset, count);
  }
  const data = dtype.isWide ? new Float64Array(make(8 * count)) : new Float32Array(make(4 * count));
  const part = new ArrayBuffer(Math.min(atOnce, count) * dtype.bytes);
  for (let first = 0; first < count; first += atOnce) {
    const size = Math.min(atOnce, count - first);
    const view = bytes.view(from + first * dtype.bytes, size * dtype.bytes, () => part);
    for (let e = 0; e < size; e++) data[first + e] = dtype.get(view, e * dtype.bytes, isLittle);
  }
  return data;
}

/** Returns the number of entries of a shape. */
export const countOf = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);

/** Reverses the order of dimensions in memory: entries of a column-major tensor become row-major. */
function fromColumnMajor({ dtype, shape, data }: Tensor, make: MakeMemory): Tensor {
  if (shape.length < 2) return { dtype, shape, data };
  const [rows, cols] = shape.slice(-2);
  const leading = countOf(shape.slice(0, -2));
  const out = new (data.constructor as new (memory: ArrayBufferLike) => RealArray)(make(data.byteLength));
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
