import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { requireFile } from '../../../base/node/import-file.ts';
import { lookUp } from '../../../base/objects.ts';
import type { Shape } from '../../../matrix/dense.ts';
import type { Entries } from '../../../matrix/operands.ts';
import { noKernelIn } from '../../messages.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { chooseKernel } from '../exported-kernel.ts';
import type { FileOrigin } from '../file-origin.ts';

/** A function of a module: the sizes, and the addresses of A, B and C, all i32. */
type WasmFunction = (m: number, k: number, n: number, a: number, b: number, c: number) => unknown;

const ARGUMENTS = 6;

/** The part of WebAssembly in use, which is missing in Node's types. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object): Promise<{ readonly exports: Readonly<Record<string, unknown>> }>;
  readonly Module: { imports(module: object): { readonly module: string; readonly name: string }[] };
  readonly Memory: new (...given: never[]) => WasmMemory;
}
const api = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyApi;

/** Array types of the entries of each precision. */
const kinds: Readonly<Record<string, Float32ArrayConstructor | Float64ArrayConstructor>> = {
  f32: Float32Array,
  f64: Float64Array,
};

/**
 * Returns a kernel that calls a function of a WebAssembly module, for A·B alone. It gets m, k and n, and the addresses of A, B and C in
 * the memory that the module exports as `memory`, row by row, in f32, or in f64 where the precision says so. It gets no imports. Operands
 * lie behind the module's initial memory, each time elsewhere.
 * @throws ParanoiaError `no-kernel-in`
 */
export async function wasmKernel(origin: FileOrigin): Promise<FunctionKernel> {
  const { file, path, name, ways } = origin;
  const refuse = (why: string, cause?: unknown) => noKernelIn({ file, why }, cause);
  const { precision = 'f32' } = ways;
  const Kind = lookUp(kinds, precision);
  if (Kind === undefined) throw refuse(`supports f32 and f64, not ${precision}`);
  const { exports, memory } = await instanceOf(path, refuse);
  const functions = Object.keys(exports).filter((key) => typeof lookUp(exports, key) === 'function');
  const chosen = chooseKernel(origin, functions, { what: 'exported function', usual: 'gemm' });
  const multiply = lookUp(exports, chosen) as WasmFunction;
  if (multiply.length !== ARGUMENTS)
    throw refuse(`has a function ${chosen} of ${multiply.length} arguments, expected six: m, k, n, a, b, c`);
  const room = wasmMemory(memory);
  return {
    ...{ name, precision },
    multiply(a, b, { m, k, n }: Shape, _, d) {
      const placed = room.place([a, b, d] as readonly Entries[]);
      const [ofA, ofB, ofC] = placed.map(({ address }) => address);
      multiply(m, k, n, ofA, ofB, ofC);
      // A and B are copied back too, so that changes to them show.
      fetch(placed, [a, b, d], room.take(placed));
      return d;
    },
  };
}

function fetch(placed: readonly MatrixAddress[], into: readonly Entries[], memory: ArrayBuffer): void {
  for (const [at, { address, bytes }] of placed.entries()) {
    const { buffer, byteOffset, byteLength } = into[at];
    new Uint8Array(buffer, byteOffset, byteLength).set(new Uint8Array(memory, address, bytes));
  }
}

async function instanceOf(path: string, refuse: (why: string, cause?: unknown) => Error) {
  requireFile(path, (why, cause) => refuse(`cannot be read: ${why}`, cause));
  const module = await api.compile(readFileSync(path)).catch((error: Error) => {
    throw refuse(`is not a WebAssembly module: ${error.message}`, error);
  });
  const [needed] = api.Module.imports(module);
  if (needed !== undefined)
    throw refuse(`imports ${needed.module}.${needed.name}, but kernels get no imports`);
  const { exports } = await api.instantiate(module).catch((error: Error) => {
    throw refuse(`cannot be instantiated: ${error.message}`, error);
  });
  const { memory } = exports;
  if (!(memory instanceof api.Memory)) throw refuse('does not export its memory as "memory"');
  return { exports, memory };
}

/** The memory of a module, which grows by pages. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The place of a matrix in memory. */
interface MatrixAddress {
  readonly address: number;
  readonly bytes: number;
}

/** Placement of operands in the memory of a module. */
interface WasmPlacement {
  /** Copies entries into the memory, with guard words around each. */
  place(all: readonly Entries[]): MatrixAddress[];
  /** Returns the memory after a call. @throws Error where a guard word was changed */
  take(placed: readonly MatrixAddress[]): ArrayBuffer;
}

const PAGE = 2 ** 16;
/** Alignment of addresses, in bytes. */
const ALIGNED = 16;
/** Bytes of guard words before and behind each matrix. */
const GUARD = 64;
const GUARDED = 0xa5;
/** The most multiples by which the first address moves. */
const MOVES = 256;

/** Places operands behind the module's initial memory, each time elsewhere. */
function wasmMemory(memory: WasmMemory): WasmPlacement {
  const from = memory.buffer.byteLength;
  const guards = ({ address, bytes }: MatrixAddress) => [
    new Uint8Array(memory.buffer, address - GUARD, GUARD),
    new Uint8Array(memory.buffer, address + bytes, GUARD),
  ];
  return {
    place(all) {
      let at = from + ALIGNED * randomInt(MOVES);
      const placed = all.map(({ byteLength: bytes }) => {
        const address = at + GUARD;
        at = ALIGNED * Math.ceil((address + bytes + GUARD) / ALIGNED);
        return { address, bytes };
      });
      const more = Math.ceil((at - memory.buffer.byteLength) / PAGE);
      if (more > 0) memory.grow(more);
      for (const [which, { buffer, byteOffset, byteLength }] of all.entries()) {
        for (const guard of guards(placed[which])) guard.fill(GUARDED);
        const there = new Uint8Array(memory.buffer, placed[which].address, byteLength);
        there.set(new Uint8Array(buffer, byteOffset, byteLength));
      }
      return placed;
    },
    take(placed) {
      const touched = placed.findIndex((one) =>
        guards(one).some((guard) => guard.some((byte) => byte !== GUARDED)),
      );
      if (touched >= 0) throw new Error(`it wrote outside of its matrices, next to ${'ABC'[touched]}`);
      return memory.buffer;
    },
  };
}
