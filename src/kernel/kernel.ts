import type { Arithmetic } from '../formats/arithmetic.ts';
import type { Work } from '../gpu/execute-many.ts';
import type { Execution } from '../gpu/execution.ts';
import type { Joined } from '../gpu/panels.ts';
import type { Timing } from '../gpu/time-program.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Border, Edge, Plan } from '../plan/plan.ts';
import type { Claims } from './claims.ts';
import type { OperandLayout } from './operand-layout.ts';

/** How a product is to be computed, beside its operands. */
export interface Manner {
  readonly levels: number;
  readonly border: Border;
  readonly edge: Edge;
}

/** How much more than its own plan's error a kernel is allowed, where its steps are not known. */
export interface Latitude {
  /** The running bound is multiplied by this. */
  readonly bound: number;
  /** The expected error is multiplied by this. */
  readonly sigma: number;
}

/** A product that a kernel timed itself. */
export interface OwnTimes extends Execution {
  /** Seconds a product, operands in place; undefined where the kernel has no clock of its own. */
  readonly own?: { readonly seconds: readonly number[]; readonly onGpu: boolean } | undefined;
}

/** A matrix multiplication whose claims can be checked. */
export interface Kernel {
  /** The name cases and reports use: `strassen:register`. */
  readonly name: string;
  /** The algorithm it claims to be, by name. */
  readonly algorithm: string;
  /** What it promises beyond algorithm and precision; a built-in kernel's plan says all. */
  readonly claims?: Claims | undefined;
  /** @defaultValue none: its plan is what it executes */
  readonly latitude?: Latitude | undefined;
  /** The leaf kernel, by name as asked for; empty for a kernel that is not ours. */
  readonly leaf: string;
  /** The leaf kernel that a plan is executed with: what a family stands for on this device. */
  leafOf?(plan: Plan): string;
  /** What it computes in, and how the device does that. */
  readonly arithmetic: Arithmetic;
  /**
   * What the kernel claims to execute for a shape: bounds, expected errors and the mirror are read from it.
   * @throws Problem `bad-number` for sizes and levels no plan can be made for.
   */
  plan(shape: Shape, manner: Manner): Plan;
  /** Why it does not multiply a shape, as a clause after "because"; undefined where it does. By default it always does. */
  refuses?(shape: Shape): string | undefined;
  /**
   * C = A·B on the device, A m×k, B k×n, as `plan` says.
   * @param meanwhile what to do in this thread while the device computes, if anything.
   * @param layout how the operands are to lie in memory: the plain one, unless {@link Kernel.layouts} says otherwise.
   * @throws Problem too-large, out-of-gpu-memory, gpu-error, bad-shader, device-lost; of a kernel that is not ours also
   *   kernel-threw, kernel-answer, kernel-hangs, kernel-died, peer-missing.
   */
  multiply(
    a: Matrix,
    b: Matrix,
    plan: Plan,
    meanwhile?: () => void,
    layout?: OperandLayout,
  ): Promise<Execution>;
  /** The same product again and again, timed by the kernel itself; throws as {@link Kernel.multiply} does. */
  time?(a: Matrix, b: Matrix, plan: Plan, timing: Timing): Promise<OwnTimes>;
  /**
   * The same product as work that `run` executes: all of it or, where that is too large for the device, panels of it.
   * @throws Problem too-large, and what `run` throws.
   */
  inParts?<T extends Execution>(
    a: Matrix,
    b: Matrix,
    plan: Plan,
    run: (work: Work, meanwhile?: () => void) => Promise<T>,
    meanwhile?: () => void,
  ): Promise<Joined<T>>;
  /** The same product as work that is executed together with others; kernels without it multiply one by one. */
  work?(a: Matrix, b: Matrix, plan: Plan): Work;
  /**
   * Whether it takes operands in other layouts than the plain one; `dense`: transposed, but without gaps between rows.
   * @defaultValue false
   */
  readonly layouts?: boolean | 'dense';
}
