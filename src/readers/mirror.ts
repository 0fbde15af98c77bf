import { type Arithmetic, arithmetic32 } from '../formats/arithmetic32.ts';
import { type Matrix, zerosF32 } from '../matrix/dense.ts';
import { pack, unpack } from '../plan/pack.ts';
import type { MultiplyStep, Plan, Step, Update } from '../plan/plan.ts';
import { multiply32 } from './leaf32.ts';
import { entriesOf, Memory } from './memory.ts';
import { type Lane, walk } from './walk.ts';

/**
 * The mirror: a plan executed on the CPU in binary32, operation by operation, in the order and the arithmetic
 * of the device. On a device whose arithmetic is known its values are the device's, bit for bit (NaN payloads
 * aside). Cost: the operations of the plan, 1–10 ns each.
 */
export class Mirror implements Lane {
  readonly memory: Memory<Float32Array>;
  private readonly plan: Plan;
  private readonly arithmetic: Arithmetic;
  private readonly add: (a: number, b: number) => number;

  constructor(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic) {
    this.plan = plan;
    this.arithmetic = arithmetic;
    this.add = arithmetic32(arithmetic).add;
    this.memory = new Memory(plan, (length) => new Float32Array(length), Number.NaN);
    pack(a, plan.layouts.A, this.memory.buffers.A);
    pack(b, plan.layouts.B, this.memory.buffers.B);
  }

  product(step: MultiplyStep): void {
    const [x, y] = [this.memory.values(step.x), this.memory.values(step.y)];
    multiply32(x, y, step.shape, this.memory.product(step), this.arithmetic);
  }

  update(step: Step, { target, terms }: Update): void {
    const slot = step.slots[target];
    const result = this.memory.values(slot);
    const entries = entriesOf(step);
    const [p, q] = terms;
    const left = this.memory.term(step, p);
    if (q === undefined) {
      for (let e = 0; e < entries; e++) result[e] = p.sign * left[e];
    } else {
      addSigned(this.add, p.sign, left, q.sign, this.memory.term(step, q), result, entries);
    }
    this.memory.commit(slot, result);
  }

  /** C, m×n, once the walk is done. */
  result(): Matrix<Float32Array> {
    const c = zerosF32(this.plan.shape.m, this.plan.shape.n);
    unpack(this.memory.buffers.C, this.plan.layouts.C, c);
    return c;
  }
}

function addSigned(
  add: (a: number, b: number) => number,
  leftSign: 1 | -1,
  left: Float32Array,
  rightSign: 1 | -1,
  right: Float32Array,
  result: Float32Array,
  entries: number,
): void {
  for (let e = 0; e < entries; e++) result[e] = add(leftSign * left[e], rightSign * right[e]);
}

/** Runs a plan on the CPU: C = A·B, A m×k, B k×n, in the device's binary32 arithmetic. */
export function runMirror(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic): Matrix<Float32Array> {
  const mirror = new Mirror(plan, a, b, arithmetic);
  walk(plan, [mirror]);
  return mirror.result();
}
