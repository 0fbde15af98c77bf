import type { Arithmetic } from '../formats/arithmetic.ts';
import { precisions } from '../formats/precision.ts';
import { type Matrix, productShape, type Real } from '../matrix/dense.ts';
import { pack, unpack } from '../plan/pack.ts';
import type { MultiplyStep, Operand, Plan, Step, Update } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import { entriesOf, Memory } from './memory.ts';
import type { Scalars } from './scalars/scalars.ts';
import { scalarsFor } from './scalars/scalars-for.ts';
import { type Lane, walk } from './walk.ts';

/**
 * The mirror: a plan executed on the CPU in the device's precision, operation by operation, in the order and the
 * arithmetic of the device. On a device whose arithmetic is known its values are the device's, bit for bit (NaN
 * payloads aside). Cost: the operations of the plan, 1–10 ns each in binary32 and binary64, 10–500 ns elsewhere.
 */
export class Mirror implements Lane {
  private readonly memory: Memory<Real>;
  private readonly plan: Plan;
  private readonly scalars: Scalars;

  constructor(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic) {
    requireFitting(plan, a, b, arithmetic);
    this.plan = plan;
    this.scalars = scalarsFor(arithmetic);
    this.memory = new Memory<Real>(plan, (length) => this.scalars.create(length), Number.NaN);
    pack(this.encoded(a), plan.layouts.A, this.memory.buffers.A);
    pack(this.encoded(b), plan.layouts.B, this.memory.buffers.B);
  }

  product(step: MultiplyStep): void {
    const [x, y] = [this.memory.values(step.x), this.memory.values(step.y)];
    this.scalars.multiply(x, y, step.shape, this.memory.product(step));
  }

  update(step: Step, { target, terms }: Update): void {
    const { add, negate } = this.scalars;
    const slot = step.slots[target];
    const result = this.memory.values(slot);
    const entries = entriesOf(step);
    const [p, q] = terms;
    const left = this.memory.term(step, p);
    if (q === undefined) {
      for (let e = 0; e < entries; e++) result[e] = p.sign < 0 ? negate(left[e]) : left[e];
    } else {
      const right = this.memory.term(step, q);
      for (let e = 0; e < entries; e++) {
        result[e] = add(p.sign < 0 ? negate(left[e]) : left[e], q.sign < 0 ? negate(right[e]) : right[e]);
      }
    }
    this.memory.commit(slot, result);
  }

  /** The numbers an operand holds now: not for writing. */
  numbers(operand: Operand): Real {
    return this.decoded(this.memory.values(operand));
  }

  /** C, m×n, once the walk is done, in binary32 or, for wider precisions, in doubles. */
  result(): Matrix {
    const { m, n } = this.plan.shape;
    const c = { rows: m, cols: n, data: this.scalars.create(m * n) };
    unpack(this.memory.buffers.C, this.plan.layouts.C, c);
    return { ...c, data: this.decoded(c.data) };
  }

  private encoded(matrix: Matrix): Matrix {
    const { encode } = this.scalars;
    return encode === undefined ? matrix : { ...matrix, data: Float64Array.from(matrix.data, encode) };
  }

  private decoded(values: Real): Real {
    const { decode } = this.scalars;
    return decode === undefined ? values : values.map(decode);
  }
}

/** @throws Problem `bad-argument`, `bad-operand`, `shapes-differ` */
function requireFitting(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic): void {
  if (plan?.shape === undefined)
    throw problem('bad-argument', { what: 'plan', need: 'a plan, as compile makes it' });
  if (precisions[arithmetic?.precision] === undefined) {
    const need = 'the arithmetic of an open device, or one like it';
    throw problem('bad-argument', { what: 'arithmetic', need });
  }
  const { m, k, n } = productShape(a, b);
  const { shape } = plan;
  if (m === shape.m && k === shape.k && n === shape.n) return;
  throw problem('shapes-differ', {
    a: `A is ${m}×${k} and B ${k}×${n}`,
    b: `the plan multiplies ${shape.m}×${shape.k} by ${shape.k}×${shape.n}`,
    why: 'compile a plan for the shape of the operands',
  });
}

/** Runs a plan on the CPU: C = A·B, A m×k, B k×n, in the device's arithmetic. */
export function runMirror(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic): Matrix {
  const mirror = new Mirror(plan, a, b, arithmetic);
  walk(plan, [mirror]);
  return mirror.result();
}
