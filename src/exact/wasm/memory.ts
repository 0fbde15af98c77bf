import { compileWasm } from '../../base/compile-wasm.ts';
import { hex } from './module.ts';

/** Adds the products of the packed block to its sums. */
type Kernel = (rowPairs: number, panels: number, k: number) => void;

/** The compiled kernels, and their memory as doubles. */
export interface Simd {
  readonly memory: Float64Array;
  readonly sliced: Kernel;
  readonly anchored: Kernel;
  readonly exactProducts: Kernel;
  readonly splitProducts: Kernel;
}

let made: Simd | string | undefined;

/** The kernels of this thread, compiled when first asked for; or why it has none. */
function simdOrWhyNot(): Simd | string {
  if (made !== undefined) return made;
  const compiled = compileWasm<Omit<Simd, 'memory'>>(hex);
  made =
    typeof compiled === 'string'
      ? compiled
      : { ...compiled, memory: new Float64Array(compiled.memory.buffer) };
  return made;
}

/** Why this runtime cannot run the kernels; undefined where it can. */
export function whyNoSimd(): string | undefined {
  const simd = simdOrWhyNot();
  return typeof simd === 'string' ? simd : undefined;
}

/** The kernels of this thread. @throws Error where {@link whyNoSimd} says why. */
export function simd(): Simd {
  const here = simdOrWhyNot();
  if (typeof here === 'string') throw new Error(here);
  return here;
}
