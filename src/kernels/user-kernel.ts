import type { GpuDevice, GpuRange } from '../gpu/web-gpu.ts';
import type { Shape } from '../matrix/dense.ts';
import type { ComplexEntries, Gemm } from '../matrix/gemm.ts';
import type { Entries } from '../matrix/operands.ts';
import type { StorageName } from '../precision/entries.ts';
import type { OperandFactors } from '../precision/operand-memory.ts';
import type { KernelSpec } from './claims.ts';

export interface GroupedProduct<E extends Entries = Entries> {
  readonly a: E;
  readonly b: E;
  readonly gemm: Gemm;
  readonly c: E;
  readonly d: E;
  readonly factors?: OperandFactors;
}

/** A kernel that is a function of this process; E is the array type of its precision's entries. */
export interface FunctionKernel<E extends Entries = Entries> extends KernelSpec {
  /** Called before the first product, and after every {@link release}: imports, contexts. If it throws, every product fails. */
  readonly prepare?: (() => void | Promise<void>) | undefined;
  /**
   * Computes D = alpha·op(A)·op(B) + beta·C, as `gemm` says. All arrays are copies in the layouts of `gemm`; changes to A or B, or between
   * the lines of D, are detected.
   * @param c NaN where beta is 0, imaginary part included.
   * @param d where D may be written; the same array as `c` where D overwrites C.
   * @param factors in a precision of coded operands, the factors of the elements in `a` and `b`: a number of A is (element − zero point) ·
   * the product of the factors of its blocks.
   * @returns `d`, or entries in the same layout: for A·B of dense matrices m·n of them, row by row.
   */
  multiply(a: E, b: E, gemm: Gemm, c: E, d: E, factors?: OperandFactors): E | Promise<E>;
  /**
   * Computes several products of unequal shapes in one call, each with the arguments of {@link multiply}. Only kernels that have it get
   * such lists.
   * @returns for each product the result of `multiply`, in their order.
   */
  multiplyGroup?(products: readonly GroupedProduct<E>[]): readonly E[] | Promise<readonly E[]>;
  /** Called after the last product, and, in this process, after one that failed: no state of earlier products may remain. */
  readonly release?: (() => void | Promise<void>) | undefined;
  /**
   * Layout of the parts of complex entries in A, B, C and D, which `gemm` counts as one: `interleaved`, real and imaginary part side by
   * side; `planar`, all real parts, gaps included, and then all imaginary ones. Only for complex precisions.
   * @defaultValue 'interleaved'
   */
  readonly entries?: ComplexEntries | undefined;
  /** True if it computes on the WebGPU adapter chosen for a run, as clients do. @defaultValue false */
  readonly usesAdapter?: boolean | undefined;
  /** Versions that a report states, by name: `{ '@tensorflow/tfjs-core': '4.22.0' }`. */
  readonly versions?: (() => Record<string, string> | Promise<Record<string, string>>) | undefined;
}

/**
 * A kernel in WGSL, run on the device between guard words, with D filled with poison before. Its bindings include the words behind each
 * matrix, which hold NaN, unless the source reads their length with `arrayLength`.
 */
export interface WgslKernel extends KernelSpec {
  readonly wgsl: {
    /** The source, or a function that makes it for each product. */
    readonly source: string | ((gemm: Gemm) => string);
    /** @defaultValue 'main' */
    readonly entryPoint?: string | undefined;
    /**
     * Bindings of group 0. A, B, C and D are arrays in storage, in the layouts of the product; `sizes` is a uniform of m, k, n and 0, each
     * u32. D is bound where it lies apart from C, else C becomes D. The source must use every binding.
     * @defaultValue a 0, b 1, c 2, and neither d nor sizes
     */
    readonly bindings?:
      | {
          readonly a: number;
          readonly b: number;
          readonly c: number;
          readonly d?: number | undefined;
          readonly sizes?: number | undefined;
          /**
           * In a precision of coded operands, the lists of factors of blocks, arrays of f32 in storage: A's before B's, for each from the
           * smallest blocks to the largest, then zero points.
           */
          readonly factors?: readonly number[] | undefined;
        }
      | undefined;
    /** Values of `override` constants. */
    readonly constants?:
      | Readonly<Record<string, number>>
      | ((gemm: Gemm) => Record<string, number>)
      | undefined;
    /** Returns the number of workgroups to dispatch: x, y, z. */
    readonly workgroups: (gemm: Gemm) => readonly [x: number, y?: number, z?: number];
    /**
     * Storage of entries; `codes` gives A and B as bit patterns of their elements, four to a word.
     * @defaultValue 'f16' for the precision f16, else 'f32'
     */
    readonly entries?: StorageName | undefined;
  };
}

/**
 * The arguments of a kernel that encodes its own work: buffers that hold A, B, C and, after its work, D, in the layouts of `gemm`, with
 * f16 entries rounded up to whole words. Guard words lie around each range: a buffer bound without its size shows NaN.
 */
export interface GpuCall extends Shape {
  readonly device: GpuDevice;
  readonly gemm: Gemm;
  /** Ranges of storage buffers: bind them with their offset and size. */
  readonly a: GpuRange;
  readonly b: GpuRange;
  /** Poison where beta is 0. */
  readonly c: GpuRange;
  /** The same range as `c` where D overwrites C. */
  readonly d: GpuRange;
  /** In a precision of coded operands, the lists of factors of blocks in binary32: see the bindings of {@link WgslKernel}. */
  readonly factors: readonly GpuRange[];
}

/** A kernel whose work the user encodes and submits on the device. */
export interface GpuKernel extends KernelSpec {
  /** Submits the work for one product to the device's queue; all must be submitted when its result settles. */
  readonly encode: (call: GpuCall) => void | Promise<void>;
  /** Storage of entries, as in {@link WgslKernel}. @defaultValue 'f16' for the precision f16, else 'f32' */
  readonly entries?: StorageName | undefined;
}

/** A kernel that is a program in any language. */
export interface ProgramKernel extends KernelSpec {
  readonly program: {
    /**
     * The program and its arguments. One-shot: `{a}`, `{b}` and `{c}` in them stand for the paths of A.npy and B.npy, which it reads, and
     * C.npy, which it writes; `{m}`, `{k}`, `{n}` for the sizes.
     */
    readonly command: readonly [program: string, ...args: string[]];
    /**
     * `once` starts it for every product. `worker` starts it once, and speaks the protocol over its standard input and output.
     * @defaultValue 'once'
     */
    readonly mode?: 'once' | 'worker' | undefined;
    /** The folder in which it runs. @defaultValue the config's */
    readonly cwd?: string | undefined;
    /** Environment variables beside those of this process. */
    readonly env?: Readonly<Record<string, string>> | undefined;
  };
}

/** An external kernel under test. */
export type UserKernel = FunctionKernel | WgslKernel | GpuKernel | ProgramKernel;

/** Precisions whose entries binary32 does not hold. */
type Wide = 'f64' | 'f32x2' | 'c64';
/** The other built-in precisions; those of a config have entries of either kind. */
type Narrow = 'f32' | 'f16' | 'f16-f32' | 'bf16' | 'tf32' | 'c32';

/**
 * Gives a kernel its type, for completion and checks in an editor: a function of binary32 gets and returns `Float32Array`, one of `f64`,
 * `f32x2` and `c64` `Float64Array`. It is validated later.
 */
export function defineKernel(
  kernel: FunctionKernel<Float64Array> & { readonly precision: Wide },
): FunctionKernel<Float64Array>;
export function defineKernel(
  kernel: FunctionKernel<Float32Array> & { readonly precision?: Narrow | undefined },
): FunctionKernel<Float32Array>;
export function defineKernel<K extends UserKernel>(kernel: K): K;
export function defineKernel(kernel: UserKernel): UserKernel {
  return kernel;
}

/** Properties by which the four ways of multiplying are recognized. */
export const ways = ['multiply', 'wgsl', 'encode', 'program'] as const;
