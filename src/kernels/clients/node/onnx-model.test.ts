import { expect, test } from 'vitest';
import { matMulModel } from './onnxruntime.ts';

type Field = readonly [number: number, value: number | Uint8Array];

/** Any message of Protocol Buffers, without its schema. */
function fields(bytes: Uint8Array): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++];
      value += (byte % 128) * place;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const value = varint();
    if (key % 8 === 0) found.push([key >> 3, value]);
    else {
      found.push([key >> 3, bytes.subarray(at, at + value)]);
      at += value;
    }
  }
  expect(at).toBe(bytes.length);
  return found;
}

const messages = (of: Uint8Array, field: number) =>
  fields(of).flatMap(([number, value]) => (number === field && value instanceof Uint8Array ? [value] : []));
const inside = (of: Uint8Array, ...path: number[]): Uint8Array =>
  path.reduce((message, field) => messages(message, field)[0], of);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test.each([
  ['f32', 1],
  ['f16', 10],
  ['f64', 11],
] as const)('a model of %s is one MatMul of matrices of any size', (type, element) => {
  const model = matMulModel(type);
  expect(fields(model)[0]).toEqual([1, 8]);
  expect(fields(inside(model, 8))).toEqual([[2, 13]]);
  const graph = inside(model, 7);
  const node = fields(inside(graph, 1)).map(([number, value]) => [number, text(value as Uint8Array)]);
  expect(node).toEqual([
    [1, 'A'],
    [1, 'B'],
    [2, 'C'],
    [4, 'MatMul'],
  ]);
  const matrices = [...messages(graph, 11), ...messages(graph, 12)].map((info) => {
    const tensor = inside(info, 2, 1);
    const sizes = messages(inside(tensor, 2), 1).map((dimension) => text(inside(dimension, 2)));
    return [text(inside(info, 1)), fields(tensor)[0], ...sizes];
  });
  expect(matrices).toEqual([
    ['A', [1, element], 'm', 'k'],
    ['B', [1, element], 'k', 'n'],
    ['C', [1, element], 'm', 'n'],
  ]);
});
