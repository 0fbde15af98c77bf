import type { Matrix, Shape } from '../../matrix/dense.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PlanFor } from '../limits.ts';
import type { Program } from '../wgsl/dispatches.ts';

/** What the device executes for products of one shape. */
export interface Executable {
  readonly plan: Plan;
  readonly made: Program;
  /** The kernel under test, as error messages name it. */
  readonly kernel: string;
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

/** A product that is to be computed on the device. */
export interface DeviceJob extends Executable {
  readonly a: Matrix;
  readonly b: Matrix;
}
