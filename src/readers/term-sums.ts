import { coefficientFraction } from '../algorithms/coefficient.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import { packBlocks } from '../plan/pack.ts';
import type { MultiplyStep } from '../plan/plan.ts';
import { operandErrorOf } from '../precision/device-errors.ts';
import { operandBounds } from './bound.ts';
import { Companion, type FollowedProduct } from './companion.ts';

/** A lane that adds the doubles of the terms of sums of blocks, whatever their signs. Doubles of products are given to it. */
export abstract class TermSums extends Companion {
  product(_: MultiplyStep): void {}

  /** Sets the doubles of the entries of the product of a step. */
  tell(step: MultiplyStep, of: (entry: number) => number): void {
    const out = this.memory.product(step);
    for (let e = 0; e < out.length; e++) out[e] = of(e);
  }

  /** Returns the doubles of the entries of the factors of a step. */
  factors({ x, y, shape: { m, k, n } }: MultiplyStep): { x: Float64Array; y: Float64Array } {
    return { x: this.factor(x, 'x', m, k).own, y: this.factor(y, 'y', k, n).own };
  }

  /** Returns the doubles of the entries of C, m×n. */
  result(): Matrix<Float64Array> {
    return this.unpacked();
  }

  protected decoded(values: RealArray): Float64Array {
    return new Float64Array(values.length);
  }

  protected sum(left: Float64Array, right: Float64Array, _: RealArray, result: Float64Array): void {
    for (let e = 0; e < result.length; e++) result[e] = left[e] + right[e];
  }

  protected inAnyOrder(own: Float64Array): Float64Array {
    return own;
  }
}

/** The number of blocks in a sum. A factor other than ±1 counts as one more, since it may be rounded; 1/3 as two. */
export class TermCounts extends TermSums {
  constructor(...of: FollowedProduct) {
    super(0, ...of);
    this.memory.buffers.A.fill(1);
    this.memory.buffers.B.fill(1);
  }

  protected scaled(counts: Float64Array): void {
    for (let e = 0; e < counts.length; e++) counts[e] += 1;
  }

  protected represented(counts: Float64Array): void {
    for (let e = 0; e < counts.length; e++) counts[e] += this.roundings;
  }
}

/**
 * The sum of the absolute values of the terms of a sum. No partial sum is larger, in any order, roundings aside. A value that reaches
 * `limit` becomes infinite.
 */
export class TermSizes extends TermSums {
  private readonly limit: number;

  constructor(limit: number, ...of: FollowedProduct) {
    super(0, ...of);
    const [plan, , computation, operands] = of;
    this.limit = limit;
    const { decoding } = computation.precision;
    const error = decoding === undefined ? undefined : operandErrorOf(computation);
    const { A, B } = this.memory.buffers;
    for (const [x, layout, buffer] of [
      [operands.a, plan.layouts.A, A],
      [operands.b, plan.layouts.B, B],
    ] as const) {
      const { size } = operandBounds(x.data, new Float64Array(x.data.length), error);
      packBlocks({ ...x, data: size.map((one) => this.within(one)) }, layout, buffer);
    }
  }

  protected override sum(left: Float64Array, right: Float64Array, _: RealArray, result: Float64Array): void {
    for (let e = 0; e < result.length; e++) result[e] = this.within(left[e] + right[e]);
  }

  protected scaled(sizes: Float64Array, _: RealArray, factor: number): void {
    for (let e = 0; e < sizes.length; e++) sizes[e] = this.within(sizes[e] * Math.abs(factor));
  }

  /** Checks the intermediate value x·p before it is divided by q. */
  protected represented(sizes: Float64Array, _: RealArray, coefficient: number): void {
    const den = Number(coefficientFraction(coefficient).den);
    for (let e = 0; e < sizes.length; e++)
      if (!(sizes[e] * den < this.limit)) sizes[e] = Number.POSITIVE_INFINITY;
  }

  private within(size: number): number {
    return size < this.limit ? size : Number.POSITIVE_INFINITY;
  }
}
