import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.ts';
import { codings } from './codings.ts';
import { fromScaleLayout } from './from-scale-layout.testing.ts';
import { fromGgml, toGgml } from './ggml-blocks.testing.ts';
import { fromNBits, toNBits } from './nbits-tensors.testing.ts';
import { packCodes, unpackCodes } from './packed-codes.testing.ts';
import { quantize } from './quantize.ts';
import { scaleLayouts, toScaleLayout } from './scale-layouts.ts';

const random = createRandom(9);
const matrixOf = (rows: number, cols: number) => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, () => random.uniform(-1, 1)),
});
const codedBy = (name: string, k: number, n: number) =>
  quantize(matrixOf(k, n), 'b', codings.find(name).coded.b!).coded;

describe.each(scaleLayouts.items.map((layout) => [layout.name, layout] as const))(
  '%s scales',
  (_, layout) => {
    test.each([
      [1, 1],
      [128, 4],
      [129, 5],
      [300, 9],
      [0, 3],
    ])('%d×%d come back', (rows, cols) => {
      const scales = Float32Array.from({ length: rows * cols }, (_, at) => at + 1);
      const laid = toScaleLayout(scales, rows, cols, layout);
      expect(laid.length).toBe(layout.size(rows, cols));
      expect(laid.filter((x) => x !== 0).toSorted()).toEqual(scales);
      expect(fromScaleLayout(laid, rows, cols, layout)).toEqual(scales);
    });

    test('of a wrong number are refused', () => {
      const found = new Uint8Array(7);
      for (const change of [toScaleLayout, fromScaleLayout]) {
        expect(() => change(found, 3, 4, layout)).toThrow(
          /^The codes cannot be read: 3×4 scales in the layout ".*" need \d+ entries, found 7\.$/,
        );
      }
    });
  },
);

test('swizzled scales lie where cuBLAS documents them', () => {
  const { at, size } = scaleLayouts.find('swizzled');
  // By the layout's picture: 16 bytes hold 4 factors each of lines 0, 32, 64 and 96; the tile to the right of a tile follows it.
  expect([0, 32, 64, 96, 1, 127].map((row) => at(row, 0, 8))).toEqual([0, 4, 8, 12, 16, 31 * 16 + 12]);
  expect([at(0, 3, 8), at(0, 4, 8), at(128, 0, 8), at(128, 0, 5)]).toEqual([3, 512, 1024, 1024]);
  expect(size(129, 5)).toBe(256 * 8);
});

test.each([
  [4, 7],
  [4, 8],
  [6, 5],
  [8, 3],
  [16, 3],
  [32, 2],
])('patterns of %d bits come back, %d of them', (bits, count) => {
  const patterns = Uint32Array.from({ length: count }, () => Math.floor(random.uniform01() * 2 ** bits));
  expect(unpackCodes(packCodes(patterns, bits), count, bits)).toEqual(patterns);
  expect(() => unpackCodes(new Uint8Array(1), 3, bits)).toThrow(
    /3 patterns of \d+ bits need \d+ bytes, found 1\./,
  );
});

test('of two patterns of 4 bits the first one is low', () => {
  expect(packCodes([1, 2, 3], 4)).toEqual(Uint8Array.of(0x21, 0x03));
});

test.each([
  ['q4_0', 18],
  ['q8_0', 34],
  ['mxfp4-weights', 17],
  ['iq4_nl', 18],
] as const)('%s blocks come back, and whole ones are asked for', (name, bytes) => {
  const coded = codedBy(name, 96, 5);
  const memory = toGgml(coded, name);
  expect(memory.length).toBe(5 * 3 * bytes);
  const found = fromGgml(memory, 96, 5, name);
  expect(found).toEqual({ elements: coded.elements, scales: coded.scales });
  expect(() => fromGgml(memory.subarray(1), 96, 5, name)).toThrow(
    `96×5 entries of ${name} need ${memory.length} bytes, found ${memory.length - 1}.`,
  );
  expect(() => toGgml(codedBy(name, 33, 2), name)).toThrow(
    `whole blocks of ${name} need 64 entries along k, found 33.`,
  );
});

test('a q4_0 block is as ggml-common.h has it', () => {
  // Entries −8…7 twice, with the factor 0.5: 0x3800, low byte first; entry j beside entry j + 16.
  const elements = {
    rows: 32,
    cols: 1,
    data: Float32Array.from({ length: 32 }, (_, at) => (at < 16 ? at - 8 : 31 - at - 8)),
  };
  const memory = toGgml({ elements, scales: [{ rows: 1, cols: 1, data: Float32Array.of(0.5) }] }, 'q4_0');
  expect([...memory.subarray(0, 5)]).toEqual([0x00, 0x38, 0xf0, 0xe1, 0xd2]);
});

test.each([
  ['nbits4', 4],
  ['nbits8', 8],
] as const)('the tensors of %s come back, the last block shorter', (name, bits) => {
  const [coded, how] = [codedBy(name, 70, 4), { bits, block: 32 }];
  const tensors = toNBits(coded, how);
  expect([tensors.b, tensors.scales, tensors.zeros].map(({ length }) => length)).toEqual([
    4 * 96 * (bits / 8),
    12,
    bits === 4 ? 8 : 12,
  ]);
  expect(fromNBits(tensors, 70, 4, how)).toEqual(coded);
  expect(tensors.zeros[0] & 15).toBe((coded.zeros?.data[0] ?? 0) & 15);
  expect(() => fromNBits({ ...tensors, zeros: tensors.zeros.subarray(1) }, 70, 4, how)).toThrow(
    /the zeros of MatMulNBits need \d+ bytes, found \d+\./,
  );
  expect(() => fromNBits({ ...tensors, b: tensors.b.subarray(1) }, 70, 4, how)).toThrow(
    /the b of MatMulNBits need/,
  );
});
