import type { GpuDevice, GpuRange } from '../gpu/web-gpu.ts';
import type { Shape } from '../matrix/dense.ts';
import type { OperandLayout } from '../matrix/operand-layout.ts';
import type { Entries } from '../matrix/operands.ts';
import type { KernelSpec } from './claims.ts';

/** One product asked for: A is m×k, B k×n, C m×n. */
export interface Call extends Shape {
  /** How A and B lie in memory; row-major without gaps unless the kernel says that it takes others. */
  readonly layout: OperandLayout;
}

/** A product as a function of this process. */
export interface FunctionKernel extends KernelSpec {
  /** Called once, before the first product: imports, contexts. What it throws is a verdict on every product. */
  readonly prepare?: (() => void | Promise<void>) | undefined;
  /**
   * C = A·B. The operands are copies; changing them is noticed.
   * @returns m·n entries, row-major without gaps.
   */
  readonly multiply: (a: Entries, b: Entries, call: Call) => Entries | Promise<Entries>;
  /** Called once, after the last product. */
  readonly release?: (() => void | Promise<void>) | undefined;
  /** Whether it takes transposed operands and leading dimensions, see {@link Call.layout}. @defaultValue false */
  readonly layouts?: boolean | undefined;
  /** Whether it computes on the WebGPU adapter that is chosen for a run, as clients do. @defaultValue false */
  readonly usesAdapter?: boolean | undefined;
  /** Versions that a report states, by name: `{ '@tensorflow/tfjs-core': '4.22.0' }`. */
  readonly versions?: (() => Record<string, string> | Promise<Record<string, string>>) | undefined;
}

/**
 * WGSL of the user's own, run on our device between guard words, C filled with poison before. Its bindings reach over
 * the words behind each matrix, where NaN lies, unless the source asks for their length with `arrayLength`.
 */
export interface WgslKernel extends KernelSpec {
  readonly wgsl: {
    /** The source; made for each shape where it is a function. */
    readonly source: string | ((shape: Shape) => string);
    /** @defaultValue 'main' */
    readonly entryPoint?: string | undefined;
    /**
     * Bindings of group 0. A, B and C are arrays in storage; `sizes` is a uniform of m, k, n and 0, each u32.
     * @defaultValue a 0, b 1, c 2, and no sizes
     */
    readonly bindings?:
      | { readonly a: number; readonly b: number; readonly c: number; readonly sizes?: number | undefined }
      | undefined;
    /** Values of `override` constants. */
    readonly constants?:
      | Readonly<Record<string, number>>
      | ((shape: Shape) => Record<string, number>)
      | undefined;
    /** How many workgroups are dispatched: x, y, z. */
    readonly workgroups: (shape: Shape) => readonly [x: number, y?: number, z?: number];
    /** How entries are stored. @defaultValue 'f16' for the precision f16, else 'f32' */
    readonly entries?: 'f32' | 'f16' | undefined;
  };
}

/**
 * What a kernel that encodes its own work gets: buffers that hold A, B and, after its work, C; row-major, f16 entries
 * rounded up to whole words. Guard words lie around each range: a buffer that is bound without its size shows NaN.
 */
export interface GpuCall extends Shape {
  readonly device: GpuDevice;
  /** Ranges of storage buffers: bind them with their offset and size. */
  readonly a: GpuRange;
  readonly b: GpuRange;
  readonly c: GpuRange;
}

/** Work that the user encodes and submits on our device. */
export interface GpuKernel extends KernelSpec {
  /** Submits the work for one product to the device's queue; when what it returns is settled, all is submitted. */
  readonly encode: (call: GpuCall) => void | Promise<void>;
  /** How entries are stored. @defaultValue 'f16' for the precision f16, else 'f32' */
  readonly entries?: 'f32' | 'f16' | undefined;
}

/** A program in any language. */
export interface ProgramKernel extends KernelSpec {
  readonly program: {
    /**
     * The program and its arguments. One-shot: `{a}`, `{b}` and `{c}` in them stand for the paths of A.npy and B.npy,
     * which it reads, and C.npy, which it writes; `{m}`, `{k}`, `{n}` for the sizes.
     */
    readonly command: readonly [program: string, ...args: string[]];
    /**
     * `once` starts it for every product; `worker` once, and speaks with it over its standard input and output.
     * @defaultValue 'once'
     */
    readonly mode?: 'once' | 'worker' | undefined;
    /** The folder it runs in. @defaultValue the config's */
    readonly cwd?: string | undefined;
    /** Variables of its environment beside ours. */
    readonly env?: Readonly<Record<string, string>> | undefined;
  };
  /** As {@link FunctionKernel.layouts}: transposed operands are .npy files in Fortran order; there is no padding. */
  readonly layouts?: boolean | undefined;
}

/** A kernel under test that is not ours. */
export type UserKernel = FunctionKernel | WgslKernel | GpuKernel | ProgramKernel;

/** Gives a kernel its type, and so completion and checks in an editor. Whether it can be used is found out later. */
export function defineKernel<K extends UserKernel>(kernel: K): K {
  return kernel;
}
