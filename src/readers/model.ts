import { badArgument } from '../base/messages.ts';
import { mapNumbers } from '../base/numbers.ts';
import { type Matrix, productShape, type RealArray } from '../matrix/dense.ts';
import { shapesDiffer } from '../matrix/messages.ts';
import { packBlocks, unpackBlocks } from '../plan/pack.ts';
import {
  type Addend,
  type FactorSum,
  type MultiplyStep,
  type Plan,
  PRODUCT,
  type Slot,
  type Step,
  type Update,
} from '../plan/plan.ts';
import { claimedNumbers } from '../precision/claimed-numbers.ts';
import { resultErrorOf } from '../precision/device-errors.ts';
import type { Computation, HostNumbers } from '../precision/precision.ts';
import type { ModelBehind } from './epilogue-model.ts';
import { countUpdatedEntries, PlanMemory } from './memory.ts';
import { type PlanReader, walkPlan } from './walk.ts';

/** A factor of a product: the first or the second. */
export type FactorSide = 'x' | 'y';

const lastOf = <T>(list: readonly T[]): T => list[list.length - 1];

/**
 * The bit-exact model: a plan executed on the CPU in the device's precision, operation by operation, in the order and the
 * arithmetic of the device. On a device whose arithmetic is known its values are the device's, bit for bit (NaN
 * payloads aside). Cost: the operations of the plan, 1–10 ns each in binary32 and binary64, 10–500 ns elsewhere.
 */
export class BitExactModel implements PlanReader {
  private readonly memory: PlanMemory<RealArray>;
  private readonly plan: Plan;
  private readonly host: HostNumbers;
  /** Rounds a coefficient to the format of sums. */
  private readonly round: (coefficient: number) => number;
  /** The partial sums of the factors of the current product. */
  private sums: Readonly<Record<FactorSide, readonly RealArray[]>> = { x: [], y: [] };
  /** The partial sums of the last update, one for each term; the last is the update's. */
  private partial: RealArray[] = [];
  /** The values of slots with a factor before the last update, where that changed them. */
  private before = new Map<number, RealArray>();

  /** @param c the old values of C, where the plan reads them. */
  constructor(plan: Plan, a: Matrix, b: Matrix, computation: Computation, c?: Matrix) {
    requireFitting(plan, a, b, computation);
    requireAddend(plan, c);
    this.plan = plan;
    this.host = claimedNumbers(computation);
    this.round = computation.precision.accumulated.round;
    this.memory = new PlanMemory<RealArray>(plan, (length) => this.host.create(length), Number.NaN);
    packBlocks(this.encoded(a), plan.layouts.A, this.memory.buffers.A);
    packBlocks(this.encoded(b), plan.layouts.B, this.memory.buffers.B);
    if (c !== undefined) packBlocks(this.encoded(c), plan.layouts.C, this.memory.buffers.C);
  }

  product(step: MultiplyStep): void {
    const { m, k, n } = step.shape;
    this.sums = { x: this.partialSums(step.x, m, k), y: this.partialSums(step.y, k, n) };
    const [x, y] = [lastOf(this.sums.x), lastOf(this.sums.y)];
    this.multiply(x, y, step, this.memory.product(step));
  }

  /** Computes the sums of the runs of a product, and adds them. */
  private multiply(x: RealArray, y: RealArray, { shape, run = shape.k }: MultiplyStep, out: RealArray): void {
    const { m, k, n } = shape;
    if (run >= k) {
      this.host.multiply(x, y, shape, out);
      return;
    }
    const sum = this.host.create(m * n);
    for (let from = 0; from < k; from += run) {
      const length = Math.min(run, k - from);
      const part = this.host.create(m * length);
      for (let i = 0; i < m; i++) part.set(x.subarray(i * k + from, i * k + from + length), i * length);
      const rows = y.subarray(from * n, (from + length) * n);
      this.host.multiply(part, rows, { m, k: length, n }, from === 0 ? out : sum);
      if (from > 0) for (let e = 0; e < m * n; e++) out[e] = this.host.add(out[e], sum[e]);
    }
  }

  scale(step: Step, slot: number, factor: number): void {
    const term = { factor: 1, slot } as const;
    const values = this.memory.term(step, term);
    const entries = countUpdatedEntries(step);
    const by = this.host.create(1).fill(this.host.encode?.(factor) ?? factor);
    const out = this.host.create(entries);
    // As the device does: the product of one term each, added to zero.
    this.host.multiply(values.subarray(0, entries), by, { m: entries, k: 1, n: 1 }, out);
    values.set(out);
    if (slot !== PRODUCT) this.memory.commitSlot(step, step.slots[slot], values);
  }

  update(step: Step, { target, terms }: Update): void {
    const slot = step.slots[target];
    const result = this.memory.slot(step, slot);
    const entries = countUpdatedEntries(step);
    this.partial = [];
    this.before = new Map(
      terms.flatMap(({ factor, slot }) =>
        slot === target && Math.abs(factor) !== 1 ? [[slot, result.slice(0, entries)]] : [],
      ),
    );
    if (terms.length === 0) result.fill(0, 0, entries);
    let sum: RealArray | undefined;
    for (const [at, term] of terms.entries()) {
      // The last sum goes to its target. Earlier ones are kept for the readers that follow.
      const out = at === terms.length - 1 ? result : this.host.create(entries);
      this.addTerm(sum, term.factor, this.memory.term(step, term), out, entries);
      this.partial.push(out);
      sum = out;
    }
    this.memory.commitSlot(step, slot, result);
  }

  /** Computes out = sum + factor·x, entry by entry; without a sum, factor·x. */
  private addTerm(
    sum: RealArray | undefined,
    factor: number,
    x: RealArray,
    out: RealArray,
    entries: number,
  ): void {
    const { add, negate, multiplyAdd, encode } = this.host;
    if (factor !== 1 && factor !== -1) {
      const held = this.round(factor);
      const c = encode?.(held) ?? held;
      const zero = encode?.(0) ?? 0;
      for (let e = 0; e < entries; e++) out[e] = multiplyAdd(c, x[e], sum === undefined ? zero : sum[e]);
    } else if (sum === undefined) {
      for (let e = 0; e < entries; e++) out[e] = factor < 0 ? negate(x[e]) : x[e];
    } else {
      for (let e = 0; e < entries; e++) out[e] = add(sum[e], factor < 0 ? negate(x[e]) : x[e]);
    }
  }

  /** Returns the current numbers of a slot, one for each entry of the step's product. They must not be changed. */
  numbers(step: Step, slot: Slot): RealArray {
    return this.decoded(this.memory.slot(step, slot));
  }

  /** Returns the numbers of a partial sum of the last update, of its terms up to the given one. */
  partialNumbers(term: number): RealArray {
    return this.decoded(this.partial[term]);
  }

  /** Returns the numbers of a slot before the last update. */
  numbersBefore(step: Step, slot: number): RealArray {
    const before = this.before.get(slot);
    return before === undefined ? this.numbers(step, step.slots[slot]) : this.decoded(before);
  }

  /** Returns the numbers of a block of a factor, with zeros where a window of the given rows and columns is cut off. */
  blockNumbers(addend: Addend, rows?: number, cols?: number): RealArray {
    return this.decoded(this.memory.values(addend, rows, cols));
  }

  /** Returns the numbers of the current product. */
  productNumbers(step: MultiplyStep): RealArray {
    return this.decoded(this.memory.product(step));
  }

  /** Returns the numbers of the partial sums of a factor of the current product. The last ones are the factor's. */
  factorNumbers(side: FactorSide): readonly RealArray[] {
    return this.sums[side].map((sum) => this.decoded(sum));
  }

  private partialSums(factor: FactorSum, rows: number, cols: number): RealArray[] {
    const sums: RealArray[] = [];
    for (const addend of factor) {
      const values = this.memory.values(addend, addend.window && rows, addend.window && cols);
      if (sums.length === 0 && addend.factor === 1) {
        sums.push(values);
        continue;
      }
      const out = this.host.create(values.length);
      this.addTerm(sums.at(-1), addend.factor, values, out, values.length);
      sums.push(out);
    }
    return sums;
  }

  /** Returns C, m×n, after the walk, in binary32 or, for wider precisions, in doubles. */
  result(): Matrix {
    const { m, n } = this.plan.shape;
    const c = { rows: m, cols: n, data: this.host.create(m * n) };
    unpackBlocks(this.memory.buffers.C, this.plan.layouts.C, c);
    return { ...c, data: this.decoded(c.data) };
  }

  private encoded(matrix: Matrix): Matrix {
    const { encode } = this.host;
    return encode === undefined ? matrix : { ...matrix, data: mapNumbers(matrix.data, encode) };
  }

  private decoded(values: RealArray): RealArray {
    const { decode } = this.host;
    return decode === undefined ? values : values.map(decode);
  }
}

/** Checks the operands of a plan. @throws ParanoiaError `bad-argument`, `bad-operand`, `shapes-differ` */
function requireFitting(plan: Plan, a: Matrix, b: Matrix, computation: Computation): void {
  if (plan?.shape === undefined) throw badArgument({ what: 'plan', need: 'a plan, as compile returns' });
  if (computation?.precision?.host === undefined || computation.arithmetic === undefined) {
    const need = 'a precision and an arithmetic, such as that of an open device';
    throw badArgument({ what: 'computation', need });
  }
  const { m, k, n } = productShape(a, b);
  const { shape } = plan;
  if (m === shape.m && k === shape.k && n === shape.n) return;
  throw shapesDiffer({
    a: `A is ${m}×${k} and B ${k}×${n}`,
    b: `the plan multiplies ${shape.m}×${shape.k} by ${shape.k}×${shape.n}`,
    why: 'compile a plan for the shape of the operands',
  });
}

/** Checks C. @throws ParanoiaError `bad-argument`, `shapes-differ` if C is missing or does not fit a plan that adds to it. */
function requireAddend({ scaling, shape: { m, n } }: Plan, c: Matrix | undefined): void {
  if (scaling.beta === 0) return;
  if (c === undefined) throw badArgument({ what: 'C', need: 'a matrix, which the plan multiplies by beta' });
  if (c.rows === m && c.cols === n) return;
  throw shapesDiffer({
    a: `C is ${c.rows}×${c.cols}`,
    b: `the product of the plan ${m}×${n}`,
    why: 'compile a plan for the shape of the operands',
  });
}

/**
 * Runs a plan on the CPU: C = A·B, A m×k, B k×n, in the device's arithmetic; alpha·A·B + beta·C where the plan has factors.
 * @param behind what follows a complete sum. @defaultValue nothing
 */
export function runModel(
  plan: Plan,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  before?: Matrix,
  behind?: ModelBehind,
): Matrix {
  const model = new BitExactModel(plan, a, b, computation, before);
  walkPlan(plan, [model]);
  const { cols, ...complete } = model.result();
  const follow = (x: number, e: number) => behind?.(x, Math.floor(e / cols), e % cols) ?? x;
  const sums = { ...complete, cols, data: behind === undefined ? complete.data : complete.data.map(follow) };
  const round = resultErrorOf(computation)?.round;
  return round === undefined ? sums : { ...sums, data: sums.data.map(round) };
}
