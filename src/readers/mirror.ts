import type { Arithmetic } from '../formats/arithmetic.ts';
import { precisions } from '../formats/precision.ts';
import { type Matrix, productShape, type Real } from '../matrix/dense.ts';
import { pack, unpack } from '../plan/pack.ts';
import {
  type Factor,
  type MultiplyStep,
  type Plan,
  PRODUCT,
  type Slot,
  type Step,
  type Update,
} from '../plan/plan.ts';
import { problem } from '../problems.ts';
import { entriesOf, Memory } from './memory.ts';
import type { Scalars } from './scalars/scalars.ts';
import { scalarsFor } from './scalars/scalars-for.ts';
import { type Lane, walk } from './walk.ts';

/** Which factor of a product. */
export type Side = 'x' | 'y';

const lastOf = <T>(list: readonly T[]): T => list[list.length - 1];

/**
 * The mirror: a plan executed on the CPU in the device's precision, operation by operation, in the order and the
 * arithmetic of the device. On a device whose arithmetic is known its values are the device's, bit for bit (NaN
 * payloads aside). Cost: the operations of the plan, 1–10 ns each in binary32 and binary64, 10–500 ns elsewhere.
 */
export class Mirror implements Lane {
  private readonly memory: Memory<Real>;
  private readonly plan: Plan;
  private readonly scalars: Scalars;
  /** The partial sums of the factors of the current product. */
  private sums: Readonly<Record<Side, readonly Real[]>> = { x: [], y: [] };

  /** @param c what C holds before, where the plan reads it. */
  constructor(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic, c?: Matrix) {
    requireFitting(plan, a, b, arithmetic);
    requireAddend(plan, c);
    this.plan = plan;
    this.scalars = scalarsFor(arithmetic);
    this.memory = new Memory<Real>(plan, (length) => this.scalars.create(length), Number.NaN);
    pack(this.encoded(a), plan.layouts.A, this.memory.buffers.A);
    pack(this.encoded(b), plan.layouts.B, this.memory.buffers.B);
    if (c !== undefined) pack(this.encoded(c), plan.layouts.C, this.memory.buffers.C);
  }

  product(step: MultiplyStep): void {
    const { m, k, n } = step.shape;
    this.sums = { x: this.partialSums(step.x, m, k), y: this.partialSums(step.y, k, n) };
    const [x, y] = [lastOf(this.sums.x), lastOf(this.sums.y)];
    this.scalars.multiply(x, y, step.shape, this.memory.product(step));
  }

  scale(step: Step, slot: number, factor: number): void {
    const term = { sign: 1, slot } as const;
    const values = this.memory.term(step, term);
    const entries = entriesOf(step);
    const by = this.scalars.create(1).fill(this.scalars.encode?.(factor) ?? factor);
    const out = this.scalars.create(entries);
    // As the device does: the product of one term each, added to zero.
    this.scalars.multiply(values.subarray(0, entries), by, { m: entries, k: 1, n: 1 }, out);
    values.set(out);
    if (slot !== PRODUCT) this.memory.commitSlot(step, step.slots[slot], values);
  }

  update(step: Step, { target, terms }: Update): void {
    const { add, negate } = this.scalars;
    const slot = step.slots[target];
    const result = this.memory.slot(step, slot);
    const entries = entriesOf(step);
    const [p, q] = terms;
    const left = p === undefined ? result : this.memory.term(step, p);
    if (p === undefined) {
      result.fill(0, 0, entries);
    } else if (q === undefined) {
      for (let e = 0; e < entries; e++) result[e] = p.sign < 0 ? negate(left[e]) : left[e];
    } else {
      const right = this.memory.term(step, q);
      for (let e = 0; e < entries; e++) {
        result[e] = add(p.sign < 0 ? negate(left[e]) : left[e], q.sign < 0 ? negate(right[e]) : right[e]);
      }
    }
    this.memory.commitSlot(step, slot, result);
  }

  /** The numbers a slot holds now, one for each entry of the step's product: not for writing. */
  numbers(step: Step, slot: Slot): Real {
    return this.decoded(this.memory.slot(step, slot));
  }

  /** The numbers of the current product. */
  productNumbers(step: MultiplyStep): Real {
    return this.decoded(this.memory.product(step));
  }

  /** The numbers of the partial sums of a factor of the current product; the last ones are the factor's. */
  factorNumbers(side: Side): readonly Real[] {
    return this.sums[side].map((sum) => this.decoded(sum));
  }

  private partialSums(factor: Factor, rows: number, cols: number): Real[] {
    const { add, negate } = this.scalars;
    const sums: Real[] = [];
    for (const addend of factor) {
      const values = this.memory.values(addend, addend.window && rows, addend.window && cols);
      const term = addend.sign < 0 ? values.map(negate) : values;
      const before = sums.at(-1);
      sums.push(before === undefined ? term : term.map((value, e) => add(before[e], value)));
    }
    return sums;
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

/** @throws Problem `bad-argument`, `shapes-differ` where C is missing or does not fit a plan that adds to it. */
function requireAddend({ scaling, shape: { m, n } }: Plan, c: Matrix | undefined): void {
  if (scaling.beta === 0) return;
  if (c === undefined) throw problem('bad-argument', { what: 'C', need: 'the plan adds beta times it' });
  if (c.rows === m && c.cols === n) return;
  throw problem('shapes-differ', {
    a: `C is ${c.rows}×${c.cols}`,
    b: `the plan's product ${m}×${n}`,
    why: 'compile a plan for the shape of the operands',
  });
}

/** Runs a plan on the CPU: C = A·B, A m×k, B k×n, in the device's arithmetic; alpha·A·B + beta·C where it says so. */
export function runMirror(plan: Plan, a: Matrix, b: Matrix, arithmetic: Arithmetic, before?: Matrix): Matrix {
  const mirror = new Mirror(plan, a, b, arithmetic, before);
  walk(plan, [mirror]);
  return mirror.result();
}
