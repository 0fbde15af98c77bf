/**
 * The part of the WebAssembly binary format (core specification 2.0, chapter 5) that the kernels need: one memory,
 * functions on i32 addresses and counts, loops, and 128-bit vectors of two doubles. Code is a list of bytes, and an
 * expression the bytes that leave its value on the stack.
 */

export type Code = readonly number[];

/** An unsigned integer in LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left % 128) + (left >= 128 ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return bytes;
}

/** A signed integer in LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (;;) {
    const low = left & 127;
    left >>= 7;
    const isLast = left === (low & 64 ? -1 : 0);
    bytes.push(isLast ? low : low | 128);
    if (isLast) return bytes;
  }
}

const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (code: Code): number[] => [...unsigned(code.length), ...code];
const section = (id: number, content: Code): number[] => [id, ...sized(content)];
const name = (text: string): number[] => sized([...text].map((letter) => letter.charCodeAt(0)));

const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY = 0x40;

/** A local variable of a function: its number. */
export type Local = number & { readonly local: unique symbol };

/** A function under construction: parameters first, then locals. */
export interface Func {
  readonly name: string;
  readonly params: number;
  readonly locals: readonly number[];
  readonly body: Code;
}

/** Hands out the locals of one function. */
export class Locals {
  readonly types: number[] = [];
  readonly #params: number;

  constructor(params: number) {
    this.#params = params;
  }

  /** The i32 parameter of that number. */
  param(at: number): Local {
    return at as Local;
  }

  i32(): Local {
    return this.#add(I32);
  }

  v128(): Local {
    return this.#add(V128);
  }

  v128s(count: number): Local[] {
    return Array.from({ length: count }, () => this.v128());
  }

  #add(type: number): Local {
    this.types.push(type);
    return (this.#params + this.types.length - 1) as Local;
  }
}

export const get = (local: Local): Code => [0x20, ...unsigned(local)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const tee = (local: Local, value: Code): Code => [...value, 0x22, ...unsigned(local)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: (x: Code, y: Code): Code => [...x, ...y, 0x6a],
  sub: (x: Code, y: Code): Code => [...x, ...y, 0x6b],
  mul: (x: Code, y: Code): Code => [...x, ...y, 0x6c],
};

/** Repeats the body while the condition that ends it is not zero; at least once. */
export const repeat = (body: Code, again: Code): Code => [0x03, EMPTY, ...body, ...again, 0x0d, 0, 0x0b];

const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
const binary =
  (opcode: number) =>
  (x: Code, y: Code): Code => [...x, ...y, ...simd(opcode)];

const at = (align: number, offset: number): number[] => [align, ...unsigned(offset)];

/** Vectors of two doubles; addresses and offsets in bytes. */
export const f64x2 = {
  load: (address: Code, offset = 0): Code => [...address, ...simd(0), ...at(3, offset)],
  /** One double, twice. */
  splat: (address: Code, offset = 0): Code => [...address, ...simd(10), ...at(3, offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...simd(11),
    ...at(3, offset),
  ],
  abs: (x: Code): Code => [...x, ...simd(0xec)],
  add: binary(0xf0),
  sub: binary(0xf1),
  mul: binary(0xf2),
};

/** A module with its own memory, exported as "memory", of so many pages of 64 KiB, and the functions by name. */
export function encodeModule(pages: number, functions: readonly Func[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [0x60, ...vector(Array(params).fill([I32])), 0]);
  const bodies = functions.map(({ locals, body }) =>
    sized([...vector(locals.map((type) => [1, type])), ...body, 0x0b]),
  );
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(5, vector([[0, ...unsigned(pages)]])),
    ...section(
      7,
      vector([
        [...name('memory'), 2, 0],
        ...functions.map((made, index) => [...name(made.name), 0, ...unsigned(index)]),
      ]),
    ),
    ...section(10, vector(bodies)),
  ]);
}
