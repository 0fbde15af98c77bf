import { describe, expect, it } from 'vitest';
import { bytesInMemory } from '../base/stored-bytes.ts';
import { dtypes } from './dtypes.ts';
import { npyBytes } from './files.testing.ts';
import { findNpyTensor } from './node/read-tensor.ts';
import { readStored } from './tensor.ts';

const read = (bytes: Uint8Array, as?: string, isFallback?: boolean) =>
  readStored(
    findNpyTensor(bytesInMemory(bytes), 'x.npy', as === undefined ? undefined : dtypes.find(as), isFallback),
    undefined,
    3,
  );
const entries = (bytes: Uint8Array, as?: string) => [...read(bytes, as).data];

/** Returns the bytes of 16-bit words, least significant first. */
const words = (...values: number[]) => Uint8Array.from(values.flatMap((word) => [word & 0xff, word >> 8]));
const bigEndian = (...values: number[]) => {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, at) => {
    view.setFloat32(4 * at, value);
  });
  return new Uint8Array(view.buffer);
};

describe('the entries of a .npy file', () => {
  it.each([
    ['<f8', Float64Array.of(1, -0.1, 5e-324, Infinity), [1, -0.1, 5e-324, Infinity]],
    ['<f4', Float32Array.of(1, -2, 1e-45, 3), [1, -2, Math.fround(1e-45), 3]],
    ['>f4', bigEndian(1, -2, 0.5, 3e38), [1, -2, 0.5, Math.fround(3e38)]],
    ['<f2', words(0x3c00, 0xc000, 0x0001, 0x7c00), [1, -2, 2 ** -24, Infinity]],
    ['|i1', Int8Array.of(-128, -1, 0, 127), [-128, -1, 0, 127]],
    ['<i4', Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 7), [-(2 ** 31), 2 ** 31 - 1, 0, 7]],
  ])('of type %s are read', (descr, data, expected) => {
    expect(entries(npyBytes(descr, [2, 2], data))).toEqual(expected);
  });

  it.each([
    ['|V2', 'bf16', words(0x3f80, 0xc000, 0x7f80, 0x0001), [1, -2, Infinity, 2 ** -133]],
    ['<u2', 'bf16', words(0x3f80, 0xc000, 0x4049, 0), [1, -2, 3.140625, 0]],
    ['|V1', 'e4m3', Uint8Array.of(0x38, 0xb8, 0x7e, 0x01), [1, -1, 448, 2 ** -9]],
    ['|u1', 'e5m2', Uint8Array.of(0x3c, 0xbc, 0x7b, 0x7c), [1, -1, 57344, Infinity]],
    ['|f1', 'e4m3fnuz', Uint8Array.of(0x40, 0xc0, 0x7f, 0x00), [1, -1, 240, 0]],
    ['|u1', 'uint8', Uint8Array.of(0, 200, 255, 1), [0, 200, 255, 1]],
  ])('of bytes %s are what they are said to be: %s', (descr, as, data, expected) => {
    expect(entries(npyBytes(descr, [2, 2], data), as)).toEqual(expected);
  });

  it('are put in rows where the file has columns, in stacks too', () => {
    const columns = npyBytes('<f4', [2, 3], Float32Array.of(1, 4, 2, 5, 3, 6), true);
    expect(entries(columns)).toEqual([1, 2, 3, 4, 5, 6]);
    const shape = [2, 2, 2, 3];
    const rows = Float64Array.from({ length: 24 }, (_, e) => e);
    // Entry (p, q, i, j) lies at p + 2q + 4i + 8j.
    const turned = new Float64Array(24);
    for (let e = 0; e < 24; e++) {
      const [p, q, i, j] = [Math.floor(e / 12), Math.floor(e / 6) % 2, Math.floor(e / 3) % 2, e % 3];
      turned[p + 2 * q + 4 * i + 8 * j] = e;
    }
    expect(read(npyBytes('<f8', shape, turned, true))).toMatchObject({ shape, data: rows });
    expect(entries(npyBytes('<f4', [3], Float32Array.of(1, 2, 3), true))).toEqual([1, 2, 3]);
  });

  it('keep the memory of the file where its alignment allows', () => {
    const bytes = npyBytes('<f4', [1, 2], Float32Array.of(1, 2));
    const aligned = new Uint8Array(new ArrayBuffer(bytes.length + 8), 8 - (bytes.length % 4), bytes.length);
    aligned.set(bytes);
    expect(read(aligned).data.buffer).toBe(aligned.buffer);
    const odd = new Uint8Array(bytes.length + 9).subarray(
      aligned.byteOffset + 1,
      aligned.byteOffset + 1 + bytes.length,
    );
    odd.set(bytes);
    expect([...read(odd).data]).toEqual([1, 2]);
  });

  it('of a named type are not read as the fallback of unnamed ones', () => {
    expect(read(npyBytes('<f4', [1, 1], Float32Array.of(5)), 'bf16', true).dtype.name).toBe('f32');
    expect(read(npyBytes('|V2', [1, 1], words(0x3f80)), 'bf16', true).dtype.name).toBe('bf16');
  });
});

describe('a .npy file is refused', () => {
  it.each([
    ['|V2', words(0), undefined, 'dtype-unknown', /x\.npy has entries of type \|V2, .*--dtype: f16, bf16\./],
    ['|u1', Uint8Array.of(0), undefined, 'dtype-unknown', /of type uint8, which may mean several formats/],
    ['<f4', Float32Array.of(0), 'bf16', 'tensor-unreadable', /its entries are f32, not bf16 as --dtype says/],
    ['|V2', words(0), 'e4m3', 'tensor-unreadable', /its entries are \|V2, not e4m3/],
    [
      '<c8',
      Float32Array.of(0, 0),
      undefined,
      'tensor-unreadable',
      /its entries are <c8\. Convert it to one of f64/,
    ],
    ['<i8', Float64Array.of(0), undefined, 'tensor-unreadable', /its entries are <i8/],
    [
      '<f4',
      Uint8Array.of(0, 0, 0),
      undefined,
      'tensor-unreadable',
      /has 3 bytes of entries, expected 4 \(1×1 of f32\)/,
    ],
    ['<f4', Float32Array.of(0, 0), undefined, 'tensor-unreadable', /has 8 bytes of entries/],
  ])('%s %o as %s', (descr, data, as, code, message) => {
    expect(() => read(npyBytes(descr, [1, 1], data), as)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
