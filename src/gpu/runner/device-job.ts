import type { Matrix, Shape } from '../../matrix/dense.ts';
import { extentsOf, type Gemm, isDense } from '../../matrix/gemm.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PlanFactory } from '../limits.ts';
import type { DeviceCodedMatrices } from '../wgsl/codes/coded-words.ts';
import type { GpuProgram } from '../wgsl/dispatches.ts';
import type { EpilogueShader } from '../wgsl/epilogue-shader.ts';

/** A plan and the program that executes it on the device. */
export interface Executable {
  readonly plan: Plan;
  readonly made: GpuProgram;
  /** The program that decodes coded operands while loading them, for plans without levels whose leaf can. */
  readonly onLoad?: GpuProgram | undefined;
  /** Compiles the program with the steps of an epilogue in its last sums; absent where other passes follow these, or several write D. */
  readonly fuse?: ((behind: EpilogueShader) => GpuProgram) | undefined;
  /** The kernel under test, as error messages name it. */
  readonly kernel: string;
  /** True if entries may be summed one by one, in a plan of a single step. They can then be read and written in their own layout. */
  readonly isByEntry?: boolean;
  /** The way to compute a product in parts, rows of A times columns of B, if it is too large as a whole. */
  readonly parts?: PartPlans;
}

/** The plans and executables of the same kernel for other shapes. */
export interface PartPlans {
  /** The tile; parts are multiples of it if they are large enough. */
  readonly tile: Shape;
  readonly planFor: PlanFactory;
  executableFor(shape: Shape): Executable;
}

/** A product to compute on the device. The matrices of a batch lie one below the other. */
export interface DeviceJob extends Executable {
  readonly a: Matrix;
  readonly b: Matrix;
  /** The prior contents of C. @defaultValue poison */
  readonly c?: Matrix | undefined;
  /** The codes that A and B were decoded from, present if the codes themselves lie on the device. */
  readonly codes?: DeviceCodedMatrices | undefined;
  /** The steps behind its sums. If the program lacks them, the pass that writes D computes them. */
  readonly epilogue?: EpilogueShader | undefined;
  /** The layouts on the device, and the number of products. @defaultValue one product, in the layouts of the plan */
  readonly gemm?: Gemm | undefined;
}

export interface LayoutJob extends DeviceJob {
  readonly gemm: Gemm;
}

/**
 * True if a job has a batch size other than 1, gaps, another order, or D apart from C; codes that are decoded while they are packed; or
 * an epilogue that its program lacks.
 */
export function isLaid(job: DeviceJob): job is LayoutJob {
  const { gemm, codes, onLoad, epilogue, made } = job;
  if (gemm === undefined) return false;
  if (epilogue !== undefined && made.numeric.behind === undefined) return true;
  if (codes !== undefined && onLoad === undefined) return true;
  const extents = extentsOf(gemm);
  const dense = (['a', 'b', 'c'] as const).every((name) => isDense(gemm[name], extents[name], gemm.batch));
  return !(gemm.batch === 1 && gemm.c === gemm.d && dense);
}
