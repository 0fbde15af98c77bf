import { fractionsOf } from '../algorithms/notation.ts';
import { mapNumbers } from '../base/numbers.ts';
import { type Matrix, type RealArray, zerosF64 } from '../matrix/dense.ts';
import type { StackedOperands } from '../matrix/members.ts';
import { packBlocks, unpackBlocks } from '../plan/pack.ts';
import {
  type FactorSum,
  type MultiplyStep,
  type Plan,
  PRODUCT,
  type SlotTerm,
  type Step,
  type Update,
} from '../plan/plan.ts';
import {
  type OperandError,
  operandErrorOf,
  type Underflow,
  underflowOf,
} from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { leafErrors } from './leaf-sums.ts';
import { countUpdatedEntries, PlanMemory } from './memory.ts';
import type { BitExactModel, FactorSide } from './model.ts';
import type { LeafErrors } from './summation-stages.ts';
import type { PlanReader } from './walk.ts';

/** Values of the model, with the companion's doubles for them. */
export interface FollowedValues {
  readonly values: RealArray;
  readonly own: Float64Array;
}

/** The computation that a companion follows, and its operands. */
export type FollowedProduct = readonly [
  plan: Plan,
  model: BitExactModel,
  computation: Computation,
  operands: Pick<StackedOperands, 'a' | 'b'>,
];

/** A lane that follows the model and keeps one double for each of its values: a bound, or a variance. */
export abstract class Companion implements PlanReader {
  protected readonly memory: PlanMemory<Float64Array>;
  protected readonly model: BitExactModel;
  /** The relative error of one operation: the largest, or the expected one. */
  protected readonly u: number;
  protected readonly underflow: Underflow;
  /** Number of roundings of a coefficient that formats do not hold. Two fused levels have those of both and that of their product. */
  protected readonly roundings: number;
  /** The error of rounding an operand before a leaf product, where the precision rounds operands there. */
  protected readonly operandError: OperandError | undefined;
  /** The loss of an operand toward zero before it is multiplied. */
  protected readonly operandLoss: Pick<OperandError, 'drift' | 'lost'>;
  /** The coefficients that formats do not hold. Alpha and beta are not among them: they are given in the format. */
  private readonly fractions: ReadonlySet<number>;
  private readonly plan: Plan;
  private readonly computation: Computation;

  constructor(u: number, ...[plan, model, computation, { a, b }]: FollowedProduct) {
    this.plan = plan;
    this.computation = computation;
    this.model = model;
    this.memory = new PlanMemory(plan, (length) => new Float64Array(length));
    this.u = u;
    this.fractions = fractionsOf(plan.fused?.algorithm ?? plan.algorithm);
    this.roundings = 2 * (plan.fused?.levels ?? 1) - 1;
    this.underflow = underflowOf(computation);
    const error = operandErrorOf(computation);
    const isDecoded = computation.precision.decoding !== undefined;
    this.operandError = isDecoded ? undefined : error;
    this.operandLoss = error ?? { drift: 0 };
    // Blocks are added after they were decoded, so the loss of decoding does not cancel with them.
    if (error === undefined || !isDecoded) return;
    const { layouts } = plan;
    const { A, B } = this.memory.buffers;
    packBlocks({ ...a, data: this.decoded(a.data, error) }, layouts.A, A);
    packBlocks({ ...b, data: this.decoded(b.data, error) }, layouts.B, B);
  }

  /** Returns the doubles of operands that are decoded with a given error. */
  protected abstract decoded(values: RealArray, error: OperandError): Float64Array;

  /** Returns the errors of the sums of a product. */
  protected leaf({ shape, run }: Pick<MultiplyStep, 'shape' | 'run'>): LeafErrors {
    return leafErrors(this.computation, shape.k, run);
  }

  abstract product(step: MultiplyStep): void;

  /** Computes the doubles of `value`, the rounded sum of two values with the doubles `left` and `right`. */
  protected abstract sum(
    left: Float64Array,
    right: Float64Array,
    value: RealArray,
    result: Float64Array,
  ): void;

  /** Updates the doubles of `values`, which were multiplied by a number and rounded, in place. */
  protected abstract scaled(errors: Float64Array, values: RealArray, factor: number): void;

  /** Adds to `errors`, in place, the error of `values` from the rounded coefficient (1/3, 2/3) that multiplied them. */
  protected abstract represented(errors: Float64Array, values: RealArray, coefficient: number): void;

  /**
   * Returns the doubles of a product (or of the old C) that is added with others in any order: its own, with a share of the roundings of
   * all partial sums that may contain it.
   */
  protected abstract inAnyOrder(own: Float64Array, values: RealArray, additions: number): Float64Array;

  scale(step: Step, slot: number, factor: number): void {
    const target = step.slots[slot];
    const values = this.memory.term(step, { factor: 1, slot }).subarray(0, countUpdatedEntries(step));
    const numbers =
      target === undefined
        ? this.model.productNumbers(step as MultiplyStep)
        : this.model.numbers(step, target);
    this.scaled(values, numbers, factor);
    if (target === undefined) return;
    if (target.unordered !== undefined) values.set(this.inAnyOrder(values, numbers, target.unordered - 1));
    this.memory.commitSlot(step, target, values);
  }

  update(step: Step, { target, terms }: Update): void {
    const slot = step.slots[target];
    const entries = countUpdatedEntries(step);
    const result = this.memory.slot(step, slot).subarray(0, entries);
    if (terms.length === 0) result.fill(0);
    let own: Float64Array | undefined;
    for (const [at, term] of terms.entries()) {
      const values = this.memory.term(step, term).subarray(0, entries);
      const here = this.times(term.factor, values, () => this.numbersOf(step, term));
      const out = at === terms.length - 1 ? result : new Float64Array(entries);
      if (own === undefined) out.set(here);
      else if (slot.unordered !== undefined && step.kind === 'multiply') {
        const added = this.inAnyOrder(
          here,
          timesNumbers(term.factor, this.model.productNumbers(step)),
          slot.unordered - 1,
        );
        for (let e = 0; e < entries; e++) out[e] = own[e] + added[e];
      } else this.sum(own, here, this.model.partialNumbers(at), out);
      own = out;
    }
    this.memory.commitSlot(step, slot, result);
  }

  /** Returns the doubles of a term, given those of its block: a copy, where the factor is not ±1. */
  private times(factor: number, own: Float64Array, numbers: () => RealArray): Float64Array {
    if (Math.abs(factor) === 1) return own;
    const result = own.slice();
    const values = timesNumbers(factor, numbers());
    this.scaled(result, values, factor);
    if (this.fractions.has(factor)) this.represented(result, values, factor);
    return result;
  }

  /** Returns the model's numbers of a term, before its factor. */
  private numbersOf(step: Step, { slot }: SlotTerm): RealArray {
    if (slot === PRODUCT) return this.model.productNumbers(step as MultiplyStep);
    return this.model.numbersBefore(step, slot);
  }

  /** Returns the values of a factor of the current product, with their doubles. */
  protected factor(factor: FactorSum, side: FactorSide, rows: number, cols: number): FollowedValues {
    const sums = this.model.factorNumbers(side);
    let own: Float64Array = new Float64Array(0);
    for (const [at, addend] of factor.entries()) {
      const [height, width] = [addend.window && rows, addend.window && cols];
      const values = this.memory.values(addend, height, width);
      const here = this.times(addend.factor, values, () => this.model.blockNumbers(addend, height, width));
      if (at === 0) {
        own = here;
        continue;
      }
      const result = new Float64Array(rows * cols);
      this.sum(own, here, sums[at], result);
      own = result;
    }
    return { values: sums[sums.length - 1], own };
  }

  /** Returns the doubles of C, m×n. */
  protected unpacked(): Matrix<Float64Array> {
    const { shape, layouts } = this.plan;
    const c = zerosF64(shape.m, shape.n);
    unpackBlocks(this.memory.buffers.C, layouts.C, c);
    return c;
  }
}

/** Multiplies numbers by a factor, as doubles. */
const timesNumbers = (factor: number, numbers: RealArray): RealArray =>
  Math.abs(factor) === 1 ? numbers : mapNumbers(numbers, (x) => factor * x);
