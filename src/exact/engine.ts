import { whyNoSimd } from './wasm/memory.ts';

/** A way to compute exact products: WebAssembly with vectors of two doubles, or plain TypeScript. Both give the same bits. */
export type Engine = 'simd' | 'typescript';

/** The fastest engine of this runtime. */
export interface AvailableEngine {
  readonly engine: Engine;
  /** The reason why it is not the faster engine, if so. */
  readonly why?: string;
}

/** Returns the faster engine that this runtime has. */
export function engineHere(): AvailableEngine {
  const why = whyNoSimd();
  return why === undefined ? { engine: 'simd' } : { engine: 'typescript', why };
}

/** Below this many products of entries, filling the blocks of the kernels takes longer than computing. */
const SMALL = 2 ** 9;

/** Returns the fastest engine here for a number of products of entries. */
export function engineFor(products: number): Engine {
  return products < SMALL ? 'typescript' : engineHere().engine;
}
