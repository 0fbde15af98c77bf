import type { RealArray } from '../matrix/dense.ts';
import type { StackedOperands } from '../matrix/members.ts';
import type { MultiplyStep, Plan } from '../plan/plan.ts';
import { addProduct } from '../precision/add-product.ts';
import { unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import type { BitExactModel } from './model.ts';
import { TermSums } from './term-sums.ts';

/**
 * The error from rounded coefficients such as 1/3: u·|v̂| for a block multiplied by one, to first order in u. All
 * its entries err alike, so errors add up through sums and products, not their squares:
 *
 *     sum      e = Σ e_i        scaled   e = |s|·e_x        product  e = |x̂|·e_y + e_x·|ŷ|
 */
export class CoefficientErrors extends TermSums {
  constructor(
    plan: Plan,
    mirror: BitExactModel,
    computation: Computation,
    operands: Pick<StackedOperands, 'a' | 'b'>,
  ) {
    super(plan, mirror, computation, unitRoundoffOf(computation), operands);
  }

  override product(step: MultiplyStep): void {
    const { m, k, n } = step.shape;
    const [x, y] = [this.factor(step.x, 'x', m, k), this.factor(step.y, 'y', k, n)];
    const out = this.memory.product(step);
    out.fill(0);
    addProduct(Float64Array.from(x.values, Math.abs), y.own, step.shape, out);
    addProduct(x.own, Float64Array.from(y.values, Math.abs), step.shape, out);
  }

  protected scaled(errors: Float64Array, _: RealArray, factor: number): void {
    for (let e = 0; e < errors.length; e++) errors[e] *= Math.abs(factor);
  }

  protected represented(errors: Float64Array, values: RealArray): void {
    for (let e = 0; e < errors.length; e++) errors[e] += this.roundings * this.u * Math.abs(values[e]);
  }
}
