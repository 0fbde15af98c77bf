import { kMaxLength } from 'node:buffer';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dtypes } from '../dtypes.ts';
import { npyBytes, safetensorsBytes } from '../files.testing.ts';
import { readTensor } from './read-tensor.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const one = npyBytes('<f4', [1, 2], Float32Array.of(1, 2));
const other = npyBytes('|V2', [1, 1], Uint8Array.of(0x80, 0x3f));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-tensor-'));
  const header = { x: { dtype: 'F64', shape: [1, 1], data_offsets: [0, 8] } };
  const files = {
    'a.npy': one,
    'ab.npz': zipSync({ 'a.npy': one, 'b.npy': other, 'note.txt': new Uint8Array(3) }),
    'packed.npz': zipSync({ 'a.npy': one }, { level: 9 }),
    'x.safetensors': safetensorsBytes(header, new Uint8Array(Float64Array.of(0.1).buffer)),
    raw: new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer),
    empty: new Uint8Array(0),
    'broken.npz': zipSync({ 'a.npy': one }).subarray(0, 60),
    'a#b.npy': one,
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(at(name), bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

const f32 = dtypes.find('f32');

describe('a tensor', () => {
  it('is read from a file of any kind', () => {
    expect(readTensor(at('a.npy'))).toMatchObject({ dtype: f32, shape: [1, 2], data: Float32Array.of(1, 2) });
    expect(readTensor(at('packed.npz')).data).toEqual(Float32Array.of(1, 2));
    expect(readTensor(at('ab.npz#a')).data).toEqual(Float32Array.of(1, 2));
    expect(readTensor(at('ab.npz#b'), { dtype: dtypes.find('bf16') }).data).toEqual(Float32Array.of(1));
    expect(readTensor(at('x.safetensors#x')).data).toEqual(Float64Array.of(0.1));
    expect(readTensor(at('raw'), { dtype: f32, shape: [2, 3] }).data).toEqual(
      Float32Array.of(1, 2, 3, 4, 5, 6),
    );
    expect(readTensor(at('raw'), { dtype: dtypes.find('f64'), shape: [3, 1] }).data).toHaveLength(3);
  });

  it('of an archive that may have a type of its own is read as that', () => {
    const hints = { dtype: dtypes.find('bf16'), isFallback: true };
    expect(
      [readTensor(at('ab.npz#a'), hints), readTensor(at('ab.npz#b'), hints)].map(({ dtype }) => dtype.name),
    ).toEqual(['f32', 'bf16']);
  });

  it.each([
    ['none.npy', {}, /Cannot read .*none\.npy: it does not exist\./],
    ['empty', {}, /it is empty\./],
    ['raw', {}, /it is no \.npy, \.npz or \.safetensors file\. Give --dtype and --shape/],
    ['raw', { dtype: f32 }, /Give --dtype and --shape/],
    ['raw', { dtype: f32, shape: [2, 2] }, /it has 24 bytes, expected 16 \(2×2 of f32\)/],
    ['ab.npz#a', { shape: [7, 2] }, /its entries are .*, not 7×2 as --shape says/],
    ['ab.npz', {}, /it holds 2 tensors: a, b\. Name one as file#tensor/],
    ['ab.npz#c', {}, /it has no tensor c, but a, b/],
    ['ab.npz#note', {}, /it has no tensor note/],
    ['ab.npz#b', {}, /ab\.npz#b has entries of type \|V2/],
    ['broken.npz', {}, /it is no valid \.npz file/],
  ])('of %s with %o is refused', (name, hints, message) => {
    expect(() => readTensor(at(name), hints)).toThrow(message);
  });
});

it('more entries than an array holds are refused before they are read', () => {
  writeFileSync(at('vast'), '');
  truncateSync(at('vast'), 2 ** 32 + 1);
  const hints = { dtype: dtypes.find('int8'), shape: [2 ** 32 + 1, 1] };
  expect(() => readTensor(at('vast'), hints)).toThrow(
    /its 4294967297 entries are more than 4294967296\. Check blocks of its rows\./,
  );
});

it('an archive of more bytes than an array holds is refused before it is read', () => {
  writeFileSync(at('vast.npz'), 'PK');
  truncateSync(at('vast.npz'), kMaxLength + 1);
  expect(() => readTensor(at('vast.npz'))).toThrow(
    /it has \d+ bytes, and an archive is read up to \d+\. Save the tensor with numpy\.save\./,
  );
});
