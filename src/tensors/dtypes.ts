import type { Item, Registry } from '../base/registry.ts';
import { registryOf } from '../base/registry.ts';
import { fromHalfBits } from '../matrix/half-bits.ts';
import { bf16 } from '../precision/format.ts';
import { formats } from '../precision/formats/formats.ts';

/** A type of tensor entries in files. */
export interface Dtype extends Item {
  /** Bytes of an entry. */
  readonly bytes: 1 | 2 | 4 | 8;
  /** NumPy's name without byte order, where NumPy has the type. */
  readonly npy?: string;
  /** The name in .safetensors files. */
  readonly safetensors: string;
  /** True if its numbers need doubles. */
  readonly isWide: boolean;
  /** Reads an entry. */
  get(view: DataView, at: number, littleEndian: boolean): number;
}

/** Reads a format of one byte by its table of 256 numbers. */
const byTable = (format: string): Dtype['get'] => {
  const { code } = formats.find(format);
  const table = Float64Array.from({ length: 256 }, (_, pattern) => code.decode(pattern));
  return (view, at) => table[view.getUint8(at)];
};

const eightBits = (name: string, safetensors: string): Dtype => ({
  ...{ name, what: formats.find(name).what, bytes: 1, safetensors, isWide: false },
  get: byTable(name),
});

/** The types of entries that tensors of files may have. */
export const dtypes: Registry<Dtype> = registryOf<Dtype>('dtype', [
  {
    ...{ name: 'f64', what: 'binary64', bytes: 8, npy: 'f8', safetensors: 'F64', isWide: true },
    get: (view, at, little) => view.getFloat64(at, little),
  },
  {
    ...{ name: 'f32', what: 'binary32', bytes: 4, npy: 'f4', safetensors: 'F32', isWide: false },
    get: (view, at, little) => view.getFloat32(at, little),
  },
  {
    ...{ name: 'f16', what: 'binary16', bytes: 2, npy: 'f2', safetensors: 'F16', isWide: false },
    get: (view, at, little) => fromHalfBits(view.getUint16(at, little)),
  },
  {
    ...{ name: 'bf16', what: bf16.name, bytes: 2, safetensors: 'BF16', isWide: false },
    get: (view, at, little) => {
      word.setUint32(0, view.getUint16(at, little) * 2 ** 16);
      return word.getFloat32(0);
    },
  },
  eightBits('e4m3', 'F8_E4M3'),
  eightBits('e5m2', 'F8_E5M2'),
  eightBits('e4m3fnuz', 'F8_E4M3FNUZ'),
  eightBits('e5m2fnuz', 'F8_E5M2FNUZ'),
  {
    ...{ name: 'int8', what: 'signed bytes', bytes: 1, npy: 'i1', safetensors: 'I8', isWide: false },
    get: (view, at) => view.getInt8(at),
  },
  {
    ...{ name: 'uint8', what: 'unsigned bytes', bytes: 1, npy: 'u1', safetensors: 'U8', isWide: false },
    get: (view, at) => view.getUint8(at),
  },
  {
    ...{ name: 'i32', what: '32-bit integers', bytes: 4, npy: 'i4', safetensors: 'I32', isWide: true },
    get: (view, at, little) => view.getInt32(at, little),
  },
]);

const word = new DataView(new ArrayBuffer(4));
