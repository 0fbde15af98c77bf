import type { Matrix, Shape } from '../../matrix/dense.ts';
import { extentsOf, type Gemm, isDense } from '../../matrix/gemm.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PlanFor } from '../limits.ts';
import type { CodedMatrices } from '../wgsl/codes/coded-words.ts';
import type { Program } from '../wgsl/dispatches.ts';

/** What the device executes for products of one shape. */
export interface Executable {
  readonly plan: Plan;
  readonly made: Program;
  /** The same where coded operands are decoded as they are loaded: of plans without levels whose leaf does that. */
  readonly onLoad?: Program | undefined;
  /** The kernel under test, as error messages name it. */
  readonly kernel: string;
  /** Whether entries of a plan of a single step are summed one by one: then they may be read and written where they lie. */
  readonly isByEntry?: boolean;
  /** How it may be computed in parts, rows of A times columns of B, where it is too large as a whole. */
  readonly parts?: Parts;
}

/** Products of the same kernel in other shapes. */
export interface Parts {
  /** Parts are multiples of it where they are large enough. */
  readonly tile: Shape;
  readonly planFor: PlanFor;
  executableFor(shape: Shape): Executable;
}

/** A product that is to be computed on the device; those of a batch one below the other. */
export interface DeviceJob extends Executable {
  readonly a: Matrix;
  readonly b: Matrix;
  /** What C holds before; poison where it is left out. */
  readonly c?: Matrix | undefined;
  /** What A and B were decoded from, where it is that which lies on the device. */
  readonly codes?: CodedMatrices | undefined;
  /** How the matrices lie on the device, and how many products there are; left out, one, of matrices as the plan stores them. */
  readonly gemm?: Gemm | undefined;
}

/** A job whose matrices lie on the device as it says. */
export interface LaidJob extends DeviceJob {
  readonly gemm: Gemm;
}

/**
 * Whether a job has several products or none, or matrices with gaps, in another order, or D apart from C; or codes that are decoded
 * as they are packed.
 */
export function isLaid(job: DeviceJob): job is LaidJob {
  const { gemm, codes, onLoad } = job;
  if (gemm === undefined) return false;
  if (codes !== undefined && onLoad === undefined) return true;
  const extents = extentsOf(gemm);
  const dense = (['a', 'b', 'c'] as const).every((name) => isDense(gemm[name], extents[name], gemm.batch));
  return !(gemm.batch === 1 && gemm.c === gemm.d && dense);
}
