import { compileWasm } from '../../base/compile-wasm.ts';
import { hex } from './module.ts';

/** Adds the products of the packed block to its sums. */
type Kernel = (rowPairs: number, panels: number, k: number) => void;

/** The compiled kernels, and their common memory as doubles. */
export interface SimdKernels extends DigitKernels {
  readonly memory: Float64Array;
  /** The rows that lie cut in the memory; each caller that writes other rows there updates this. */
  cutRows: CutRows | undefined;
  readonly sliced: Kernel;
  readonly anchored: Kernel;
  readonly splitProducts: Kernel;
}

/** The rows i0 ≤ i < i1 of the owner's operands, with terms from t0 on. */
export interface CutRows {
  readonly owner: object;
  readonly i0: number;
  readonly i1: number;
  readonly t0: number;
}

/** The kernels of `digit-wat.testing.ts`; places are in bytes. */
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

let made: SimdKernels | string | undefined;

/** Returns the kernels of this thread, compiled on first use, or the reason why it has none. */
function simdOrWhyNot(): SimdKernels | string {
  if (made !== undefined) return made;
  const compiled = compileWasm<Omit<SimdKernels, 'memory' | 'cutRows'>>(hex);
  made =
    typeof compiled === 'string'
      ? compiled
      : { ...compiled, memory: new Float64Array(compiled.memory.buffer), cutRows: undefined };
  return made;
}

/** Explains why this runtime cannot run the kernels; undefined if it can. */
export function whyNoSimd(): string | undefined {
  const simd = simdOrWhyNot();
  return typeof simd === 'string' ? simd : undefined;
}

/** Returns the kernels of this thread. @throws Error with the reason of {@link whyNoSimd} */
export function loadSimd(): SimdKernels {
  const here = simdOrWhyNot();
  if (typeof here === 'string') throw new Error(here);
  return here;
}
