import { randomInt } from 'node:crypto';
import type { Entries } from '../../../matrix/operands.ts';

/** The memory of a module, which grows by pages. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The place of a matrix in memory. */
export interface MatrixAddress {
  readonly address: number;
  readonly bytes: number;
}

/** Placement of operands in the memory of a module. */
export interface WasmPlacement {
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
export function wasmMemory(memory: WasmMemory): WasmPlacement {
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
