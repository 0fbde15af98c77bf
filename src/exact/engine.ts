import { whyNoSimd } from './wasm/memory.ts';

/** What computes an exact product: WebAssembly with vectors of two doubles, or plain TypeScript. Both give the same bits. */
export type Engine = 'simd' | 'typescript';

/** The engine of this runtime. */
export interface EngineHere {
  readonly engine: Engine;
  /** Why it is not the faster one. */
  readonly why?: string;
}

/** The faster engine that this runtime has. */
export function engineHere(): EngineHere {
  const why = whyNoSimd();
  return why === undefined ? { engine: 'simd' } : { engine: 'typescript', why };
}

/** Below this many products of two entries, filling the blocks of the kernels takes longer than computing. */
const SMALL = 2 ** 9;

/** What is fastest here for so many products of two entries. */
export function engineFor(products: number): Engine {
  return products < SMALL ? 'typescript' : engineHere().engine;
}
