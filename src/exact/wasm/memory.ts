import { compileWasm } from '../../base/compile-wasm.ts';
import { hex } from './module.ts';

/** Adds the products of the packed block to its sums. */
type Kernel = (rowPairs: number, panels: number, k: number) => void;

/** The compiled kernels, and their memory as doubles. All use the same memory. */
export interface Simd extends DigitKernels {
  readonly memory: Float64Array;
  /** Which rows lie cut in the memory; whoever writes others there says so. */
  cutRows: CutRows | undefined;
  readonly sliced: Kernel;
  readonly anchored: Kernel;
  readonly exactProducts: Kernel;
  readonly splitProducts: Kernel;
}

/** Rows i0 ≤ i < i1 of what its owner multiplies, terms from t0 on. */
export interface CutRows {
  readonly owner: object;
  readonly i0: number;
  readonly i1: number;
  readonly t0: number;
}

/** See `digit-wat.testing.ts`; places are in bytes. */
interface DigitKernels {
  cutRow(eights: number, to: number, factor: number, inverse: number, weight: number): void;
  cutPanels(
    pairs: number,
    panels: number,
    to: number,
    stride: number,
    factors: number,
    inverse: number,
    weight: number,
  ): void;
  digits(
    tiles: number,
    panels: number,
    pairs: number,
    most: number,
    row: number,
    panel: number,
    sums: number,
  ): void;
  roundRow(
    pairs: number,
    at: number,
    last: number,
    half: number,
    base: number,
    middleWeight: number,
    highWeight: number,
    unit: number,
  ): number;
}

let made: Simd | string | undefined;

/** The kernels of this thread, compiled when first asked for; or why it has none. */
function simdOrWhyNot(): Simd | string {
  if (made !== undefined) return made;
  const compiled = compileWasm<Omit<Simd, 'memory' | 'cutRows'>>(hex);
  made =
    typeof compiled === 'string'
      ? compiled
      : { ...compiled, memory: new Float64Array(compiled.memory.buffer), cutRows: undefined };
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
