import type { Arithmetic } from '../formats/arithmetic.ts';
import type { Execution } from '../gpu/execute.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Border, Edge, Plan } from '../plan/plan.ts';

/** How a product is to be computed, beside its operands. */
export interface Manner {
  readonly levels: number;
  readonly border: Border;
  readonly edge: Edge;
}

/** A matrix multiplication whose claims can be checked. */
export interface Kernel {
  /** The name cases and reports use: `strassen:register`. */
  readonly name: string;
  /** The algorithm it claims to be, by name. */
  readonly algorithm: string;
  /** The leaf kernel, by name as asked for. */
  readonly leaf: string;
  /** What it computes in, and how the device does that. */
  readonly arithmetic: Arithmetic;
  /**
   * What the kernel claims to execute for a shape: bounds, expected errors and the mirror are read from it.
   * @throws Problem `bad-number` for sizes and levels no plan can be made for.
   */
  plan(shape: Shape, manner: Manner): Plan;
  /**
   * C = A·B on the device, A m×k, B k×n, as `plan` says.
   * @param meanwhile what to do in this thread while the device computes, if anything.
   * @throws Problem too-large, out-of-gpu-memory, gpu-error, bad-shader, device-lost.
   */
  multiply(a: Matrix, b: Matrix, plan: Plan, meanwhile?: () => void): Promise<Execution>;
}
