import { describe, expect, it } from 'vitest';
import { bytesInMemory } from '../base/stored-bytes.ts';
import { safetensorsBytes } from './files.testing.ts';
import { findInSafetensors, isSafetensors } from './safetensors.ts';
import { readStored } from './tensor.ts';

const fileOf = (...parts: Parameters<typeof safetensorsBytes>) => bytesInMemory(safetensorsBytes(...parts));
const read = (...of: Parameters<typeof findInSafetensors>) => readStored(findInSafetensors(...of));

const two = { dtype: 'F32', shape: [1, 2], data_offsets: [0, 8] };
const data = new Uint8Array(Float32Array.of(3, -4).buffer);

describe('a .safetensors file', () => {
  it('is told by its first bytes', () => {
    expect(isSafetensors(fileOf({ x: two }, data))).toBe(true);
    expect(isSafetensors(bytesInMemory(new Uint8Array(8)))).toBe(false);
    expect(isSafetensors(bytesInMemory(new Uint8Array(64).fill(255)))).toBe(false);
    expect(isSafetensors(bytesInMemory(new TextEncoder().encode('{"x": 1, "y": [1, 2, 3, 4]}')))).toBe(false);
  });

  it('gives its only tensor, or the one that is named', () => {
    const only = fileOf({ __metadata__: { format: 'pt' }, x: two }, data);
    expect(read(only, 'x', undefined)).toMatchObject({
      shape: [1, 2],
      data: Float32Array.of(3, -4),
    });
    const half = { dtype: 'BF16', shape: [2, 1], data_offsets: [8, 12] };
    const both = fileOf({ x: two, y: half }, Uint8Array.of(...data, 0x80, 0x3f, 0x00, 0xc0));
    expect(read(both, 'x', 'y')).toMatchObject({
      dtype: { name: 'bf16' },
      data: Float32Array.of(1, -2),
    });
  });

  it.each([
    [
      'cut short',
      fileOf({ x: two }, data.subarray(1)),
      'x',
      /Cannot read f: it is cut short\. Copy it again\./,
    ],
    ['no object', fileOf('[1]', data), undefined, /it holds no tensor|header of its tensor/],
    ['broken', fileOf('{"x": ', data), undefined, /its header is no JSON object/],
    ['of no tensor', fileOf({}, data), undefined, /it holds no tensor/],
    [
      'of several',
      fileOf({ x: two, y: two }, data),
      undefined,
      /it holds 2 tensors: x, y\. Name one as file#tensor/,
    ],
    ['of others', fileOf({ x: two }, data), 'z', /it has no tensor z, but x\. Name one/],
    [
      'of other types',
      fileOf({ x: { ...two, dtype: 'I64' } }, data),
      'x',
      /its tensor x has dtype I64\. Convert it/,
    ],
    [
      'of wrong sizes',
      fileOf({ x: { ...two, shape: [3, 2] } }, data),
      'x',
      /has 8 bytes, not those of shape 3×2/,
    ],
    [
      'of negative sizes',
      fileOf({ x: { ...two, shape: [-1, 2] } }, data),
      'x',
      /the header of its tensor x is not valid/,
    ],
    ['of inherited names', fileOf({ x: two }, data), 'toString', /it has no tensor toString/],
  ])('%s is refused', (_, bytes, member, message) => {
    expect(() => read(bytes, 'f', member)).toThrow(message);
  });
});
