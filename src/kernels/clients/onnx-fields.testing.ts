import { expect } from 'vitest';

type Field = readonly [number: number, value: number | Uint8Array];

/** Parses any message of Protocol Buffers, without its schema. */
export function fields(bytes: Uint8Array): Field[] {
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
    if (key % 8 === 5) {
      found.push([key >> 3, new DataView(bytes.buffer, bytes.byteOffset + at, 4).getFloat32(0, true)]);
      at += 4;
      continue;
    }
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

/** Returns the messages in a field. */
export const messages = (of: Uint8Array, field: number) =>
  fields(of).flatMap(([number, value]) => (number === field && value instanceof Uint8Array ? [value] : []));
/** Returns the first message along a path of fields. */
export const inside = (of: Uint8Array, ...path: number[]): Uint8Array =>
  path.reduce((message, field) => messages(message, field)[0], of);
/** Decodes a text. */
export const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns the nodes of a model: operator, inputs, output. */
export const nodesOf = (model: Uint8Array) =>
  messages(inside(model, 7), 1).map((node) => {
    const texts = (field: number) => messages(node, field).map(text);
    return [...texts(4), ...texts(1), ...texts(2)].join(' ');
  });

/** Returns name, element type and sizes of the inputs and of D. */
export const tensorsOf = (model: Uint8Array) => {
  const graph = inside(model, 7);
  return [...messages(graph, 11), ...messages(graph, 12)].map((info) => {
    const tensor = inside(info, 2, 1);
    const sizes = messages(inside(tensor, 2), 1).map((dimension) => text(inside(dimension, 2)));
    return [text(inside(info, 1)), fields(tensor)[0][1], ...sizes];
  });
};

/** Returns the attributes of a node of a model by name: a text, or a number as `f` or `i` has it. */
export const attributesOf = (model: Uint8Array, at: number): Record<string, string | number> => {
  const node = messages(inside(model, 7), 1)[at];
  return Object.fromEntries(
    messages(node, 5).map((attribute) => {
      const [[, name], [, value]] = fields(attribute);
      const read = (x: number | Uint8Array) => (typeof x === 'number' ? x : text(x));
      return [read(name), read(value)];
    }),
  );
};
