import type { Arithmetic } from '../formats/arithmetic.ts';
import { type Matrix, type Real, zerosF64 } from '../matrix/dense.ts';
import { unpack } from '../plan/pack.ts';
import type { MultiplyStep, Plan, Step, Update } from '../plan/plan.ts';
import { type OperandError, operandErrorOf, type Underflow, underflowOf } from './device-errors.ts';
import { entriesOf, Memory } from './memory.ts';
import type { Mirror } from './mirror.ts';
import type { Lane } from './walk.ts';

/** A lane that keeps one double for every value of the mirror, which it follows: a bound, or a variance. */
export abstract class Companion implements Lane {
  protected readonly memory: Memory<Float64Array>;
  protected readonly mirror: Mirror;
  /** The relative error of one operation: the largest, or the one to expect. */
  protected readonly u: number;
  protected readonly underflow: Underflow;
  /** What rounding an operand before a product does to it, where the precision rounds them. */
  protected readonly operandError: OperandError | undefined;
  private readonly plan: Plan;

  constructor(plan: Plan, mirror: Mirror, arithmetic: Arithmetic, u: number) {
    this.plan = plan;
    this.mirror = mirror;
    this.memory = new Memory(plan, (length) => new Float64Array(length));
    this.u = u;
    this.underflow = underflowOf(arithmetic);
    this.operandError = operandErrorOf(arithmetic);
  }

  abstract product(step: MultiplyStep): void;

  /** What belongs to `value`, the rounded sum or difference of two values to which `left` and `right` belong. */
  protected abstract sum(left: Float64Array, right: Float64Array, value: Real, result: Float64Array): void;

  update(step: Step, { target, terms }: Update): void {
    const slot = step.slots[target];
    const entries = entriesOf(step);
    const result = this.memory.values(slot).subarray(0, entries);
    const [left, right] = terms.map((term) => this.memory.term(step, term));
    if (right === undefined) result.set(left.subarray(0, entries));
    else this.sum(left, right, this.mirror.numbers(slot), result);
    this.memory.commit(slot, result);
  }

  /** The doubles that belong to C, m×n. */
  protected unpacked(): Matrix<Float64Array> {
    const { shape, layouts } = this.plan;
    const c = zerosF64(shape.m, shape.n);
    unpack(this.memory.buffers.C, layouts.C, c);
    return c;
  }
}
