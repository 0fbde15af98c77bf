import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codings } from './codings.ts';
import { decodeCoded } from './decode-coded.ts';
import { fromGgml, toGgml } from './ggml-blocks.testing.ts';
import { fromNBits, toNBits } from './nbits-tensors.testing.ts';

type Texts = Readonly<Record<'bytes' | 'b' | 'scales' | 'zeros' | 'numbers', string>>;

const fixture = JSON.parse(
  readFileSync(new URL('../../../fixtures/formats/weights.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Texts>>;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64'));
const numbers = (text: string): Float32Array => new Float32Array(bytes(text).buffer);
const weights = (name: string) => codings.find(name).coded.b!;

test.each(['q4_0', 'q8_0', 'mxfp4-weights', 'iq4_nl'] as const)(
  'llama.cpp’s package reads %s blocks as we do',
  (name) => {
    const memory = bytes(fixture[name].bytes);
    const signed = { ...weights(name), scales: weights(name).scales.map((of) => ({ ...of, signed: true })) };
    const coded = fromGgml(memory, 96, 2, name);
    const { data } = decodeCoded(coded, 'b', signed);
    const rows = numbers(fixture[name].numbers);
    // The file's rows are our columns.
    expect(Array.from(data, (x) => x + 0)).toEqual(
      Array.from(data, (_, at) => rows[(at % 2) * 96 + (at >> 1)] + 0),
    );
    expect(toGgml(coded, name)).toEqual(memory);
  },
);

test('every power of two with every element of mxfp4 gives the number of ggml-quants.c', () => {
  // Twice the elements, times half the factor.
  const doubled = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];
  const wrong: number[] = [];
  // Beyond, the largest element exceeds binary32.
  for (let exponent = 0; exponent <= 252; exponent++) {
    const memory = Uint8Array.of(exponent, ...doubled.map((_, pattern) => pattern + 16 * (15 - pattern)));
    const { data } = decodeCoded(fromGgml(memory, 32, 1, 'mxfp4-weights'), 'b', weights('mxfp4-weights'));
    const found = [...doubled, ...doubled.toReversed()].map((x) => x * 2 ** (exponent - 128));
    if (!found.every((x, at) => x === data[at])) wrong.push(exponent);
  }
  expect(wrong).toEqual([]);
});

test('every finite factor with every element of iq4_nl gives the number of ggml-quants.c', () => {
  // From −127 on, the distances of neighbors in the table.
  const steps = [23, 21, 18, 16, 14, 13, 12, 11, 12, 12, 13, 15, 16, 20, 24];
  const table = [-127];
  for (const step of steps) table.push((table.at(-1) as number) + step);
  const wrong: number[] = [];
  for (let word = 0; word < 2 ** 16; word++) {
    const [exponent, fraction] = [(word >> 10) % 32, word % 1024];
    if (exponent === 31) continue;
    const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    const factor = word < 2 ** 15 ? size : -size;
    const memory = Uint8Array.of(word % 256, word >> 8, ...table.map((_, at) => at + 16 * (15 - at)));
    const { data } = decodeCoded(fromGgml(memory, 32, 1, 'iq4_nl'), 'b', weights('iq4_nl'));
    const found = [...table, ...table.toReversed()].map((x) => x * factor);
    if (!found.every((x, at) => x === data[at])) wrong.push(word);
  }
  expect(wrong).toEqual([]);
});

test.each([4, 8] as const)('MatMulNBits of ONNX Runtime reads tensors of %d bits as we do', (bits) => {
  const { b, scales, zeros, numbers: found } = fixture[`nbits${bits}`];
  const tensors = { b: bytes(b), scales: numbers(scales), zeros: bytes(zeros) };
  const coded = fromNBits(tensors, 70, 4, { bits, block: 32 });
  const { data } = decodeCoded(coded, 'b', weights(`nbits${bits}`));
  expect(Float32Array.from(data, (x) => x + 0)).toEqual(Float32Array.from(numbers(found), (x) => x + 0));
  expect(fromNBits(toNBits(coded, { bits, block: 32 }), 70, 4, { bits, block: 32 })).toEqual(coded);
});
