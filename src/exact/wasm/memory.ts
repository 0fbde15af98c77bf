import { base64 } from './module.ts';

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

/** As much of the WebAssembly interface as is needed, which runtimes may lack. */
interface WebAssemblyLike {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Omit<Simd, 'memory'> & { readonly memory: { readonly buffer: ArrayBuffer } } };
}

let made: Simd | string | undefined;

/** The kernels of this thread, compiled when first asked for; or why it has none. */
function simdOrWhyNot(): Simd | string {
  // biome-ignore lint/style/noRestrictedGlobals: of every host, though no library of types has it
  made ??= compile((globalThis as unknown as { readonly WebAssembly?: WebAssemblyLike }).WebAssembly);
  return made;
}

/** Compiles the kernels. @returns why they cannot be, where the runtime has no vectors or forbids to compile. */
export function compile(runtime: WebAssemblyLike | undefined): Simd | string {
  if (runtime === undefined) return 'this runtime has no WebAssembly';
  try {
    const module = new runtime.Module(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    const { memory, ...functions } = new runtime.Instance(module).exports;
    return { memory: new Float64Array(memory.buffer), ...functions };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `this runtime does not compile WebAssembly with vectors (${why})`;
  }
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
