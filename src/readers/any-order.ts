import type { Matrix, RealArray } from '../matrix/dense.ts';
import type { MultiplyStep, Plan, Step, Update } from '../plan/plan.ts';
import { addProduct } from '../precision/add-product.ts';
import type { Computation } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';
import type { OverflowLimits } from './any-schedule.ts';
import { addProductBounds, type OperandBounds, operandBounds, RunningBound } from './bound.ts';
import type { FollowedProduct } from './companion.ts';
import { BitExactModel } from './model.ts';
import { inResults, upToSums } from './result-rounding.ts';
import { SigmaReader } from './sigma.ts';
import { TermCounts, TermSizes } from './term-sums.ts';
import { walkPlan } from './walk.ts';

/** Additional terms of each entry, such as the products of columns that were peeled off. */
export interface AdditionalTerms {
  readonly terms: number;
  /** The sum of their absolute values, and their largest error. */
  readonly size: Float64Array;
  readonly error: Float64Array;
}

/** Sums of blocks: their values in the model, the sums of the absolute values of their terms, and the number of terms. */
interface Summed {
  readonly values: RealArray;
  readonly sizes: Float64Array;
  readonly counts: Float64Array;
}

/** Bound and reach of each entry of C, with the errors of orders. */
interface Found extends Required<Pick<Analysis, 'bound' | 'reach'>> {
  /** The expected error of all additions except the last, in the worst order of the sums. */
  readonly orders: Float64Array;
}

/**
 * The running bound of a plan's products and sums for any order of the sums: at each level by itself, shared or not, or of all levels
 * written out as one. The leaf products are the plan's. Let a sum of blocks have t terms v_i with errors e_i and R = Σ (|v̂_i| + 2e_i), v̂
 * the model's. The last addition gives the sum itself, in any order. Before it, a term passes at most t − 2, so that
 *
 *     e′ = Σ e_i + ((1 + u)^(t − 2) − 1)·R,     e = e′ + u·(|v̂| + 2e′)     (Higham, ASNA, Lemma 3.1 and §4.2)
 *
 * and no partial sum exceeds (1 + u)^(t − 1)·R. Terms of a factor of a leaf product are its blocks of A or B, through all levels. Terms of
 * an entry of C are leaf products. A factor other than ±1 is one rounding more, 1/3 two. Leaf products err as in {@link RunningBound}, by the
 * errors of these factors.
 *
 * An entry's reach is R, infinite where a value on the way to it may reach its limit: R of a factor, Σ X·Y·(1 + γ_k) of a leaf product, or
 * R of blocks of C. Where it stays below the limit, no intermediate value overflows, in any order. An infinite factor makes all of its row
 * or column infinite, since infinity times zero is NaN.
 */
class AnyOrderBound extends RunningBound {
  private readonly counts: TermCounts;
  private readonly sizes: TermSizes;
  private readonly reaches: TermSizes;
  private readonly limits: OverflowLimits;

  constructor(limits: OverflowLimits, ...of: FollowedProduct) {
    super(...of);
    this.counts = new TermCounts(...of);
    this.sizes = new TermSizes(Number.POSITIVE_INFINITY, ...of);
    this.reaches = new TermSizes(limits.sums, ...of);
    this.limits = limits;
  }

  override product(step: MultiplyStep): void {
    const { shape } = step;
    const [terms, sizes] = [this.counts.factors(step), this.sizes.factors(step)];
    const complete = (side: 'x' | 'y', rows: number, cols: number): OperandBounds => {
      const { values, own } = this.factor(step[side], side, rows, cols);
      const errors = this.completed(own, { values, sizes: sizes[side], counts: terms[side] });
      return operandBounds(values, errors, this.operandError);
    };
    const [x, y] = [complete('x', shape.m, shape.k), complete('y', shape.k, shape.n)];
    const leaf = this.leaf(step);
    const out = this.memory.product(step);
    out.fill(0);
    addProductBounds(x, y, shape, { leaf, underflow: this.underflow }, out);
    const product = this.model.productNumbers(step);
    const size = (e: number) => Math.abs(product[e]) + 2 * out[e];
    const overflows = this.overflowsOf(step, x, y, 1 + leaf.loss);
    this.counts.tell(step, () => 1);
    this.sizes.tell(step, size);
    this.reaches.tell(step, (e) => (overflows(e) ? Number.POSITIVE_INFINITY : size(e)));
  }

  override scale(step: Step, slot: number, factor: number): void {
    super.scale(step, slot, factor);
    for (const lane of [this.counts, this.sizes, this.reaches]) lane.scale(step, slot, factor);
  }

  override update(step: Step, update: Update): void {
    super.update(step, update);
    for (const lane of [this.counts, this.sizes, this.reaches]) lane.update(step, update);
  }

  protected override sum(left: Float64Array, right: Float64Array, _: RealArray, result: Float64Array): void {
    for (let e = 0; e < result.length; e++)
      result[e] = (left[e] + right[e] + this.underflow.sum) * (1 + 2 ** -50);
  }

  protected override scaled(errors: Float64Array, _: RealArray, factor: number): void {
    const size = Math.abs(factor);
    const lost = this.underflow.product + this.underflow.operand * size;
    for (let e = 0; e < errors.length; e++) errors[e] = (errors[e] * size + lost) * (1 + 2 ** -50);
  }

  protected override represented(errors: Float64Array, values: RealArray, coefficient: number): void {
    const lostAt = this.lostBefore(coefficient);
    for (let e = 0; e < errors.length; e++)
      errors[e] = (errors[e] + lostAt(values[e], errors[e])) * (1 + 2 ** -50);
  }

  protected override inAnyOrder(own: Float64Array): Float64Array {
    return own.map((error) => error + this.underflow.sum);
  }

  /** Returns bound, reach and errors of orders of each entry of C. */
  found(beside?: AdditionalTerms): Found {
    const { data: values } = this.model.result();
    const [own, counts, sizes, reach] = [
      this.result(),
      this.counts.result(),
      this.sizes.result(),
      this.reaches.result(),
    ];
    const ends = Float64Array.from(values, Math.abs);
    if (beside !== undefined) {
      for (let e = 0; e < ends.length; e++) {
        own.data[e] += beside.error[e] + beside.terms * this.underflow.sum;
        counts.data[e] += beside.terms;
        for (const { data } of [sizes, reach]) data[e] += beside.size[e];
        ends[e] += beside.size[e];
      }
    }
    const errors = this.completed(own.data, { values: ends, sizes: sizes.data, counts: counts.data });
    const orders = sizes.data.map((size, e) => this.u * Math.sqrt(Math.max(0, counts.data[e] - 2)) * size);
    return { bound: { ...own, data: errors }, reach, orders };
  }

  /** Returns the errors of sums, given those of their terms. */
  private completed(own: Float64Array, { values, sizes, counts }: Summed): Float64Array {
    let [count, share] = [1, 0];
    return own.map((error, e) => {
      if (counts[e] !== count) {
        count = counts[e];
        share = count <= 2 ? 0 : Math.expm1((count - 2) * Math.log1p(this.u)) * (1 + 2 ** -40);
      }
      if (count <= 1) return error;
      const before = share === 0 ? error : error + share * sizes[e];
      return (before + this.u * (Math.abs(values[e]) + 2 * before) * (1 + 8 * this.u)) * (1 + 2 ** -50);
    });
  }

  /** Finds the entries of a leaf product whose intermediate values may reach the limit. */
  private overflowsOf(
    step: MultiplyStep,
    { size: x }: OperandBounds,
    { size: y }: OperandBounds,
    grown: number,
  ): (e: number) => boolean {
    const { m, k, n } = step.shape;
    const reach = this.reaches.factors(step);
    const { factors, sums: limit } = this.limits;
    const most = (values: Float64Array) => values.reduce((largest, value) => Math.max(largest, value), 0);
    const areWithin = Math.max(most(reach.x), most(reach.y)) < factors;
    if (areWithin && k * most(x) * most(y) * grown < limit) return () => false;
    const sums = new Float64Array(m * n);
    addProduct(x, y, step.shape, sums);
    const rows = Array.from({ length: m }, (_, i) => most(reach.x.subarray(i * k, (i + 1) * k)) < factors);
    const cols = new Array<boolean>(n).fill(true);
    reach.y.forEach((value, at) => {
      if (!(value < factors)) cols[at % n] = false;
    });
    return (e) => !(rows[Math.floor(e / n)] && cols[e % n] && sums[e] * grown < limit);
  }
}

/** Options of {@link analyseOrders}. */
interface Orders {
  /** Upper limits of intermediate values. */
  readonly limits: OverflowLimits;
  /**
   * The largest expected error that another order than the plan's adds. Without it, sums have the order of the plan, and only reach covers
   * any order.
   */
  readonly orderSigma?: number | undefined;
  readonly beside?: AdditionalTerms | undefined;
}

/** Runs model, bound and sigma reader in one walk, for any order of the plan's sums or for its own. */
export function analyzeOrders(
  plan: Plan,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  { limits, orderSigma, beside }: Orders,
): Analysis {
  const own = upToSums(computation);
  const model = new BitExactModel(plan, a, b, own);
  const sigma = new SigmaReader(plan, model, own, { a, b });
  const anyOrder = new AnyOrderBound(limits, plan, model, own, { a, b });
  if (orderSigma === undefined) {
    const bound = new RunningBound(plan, model, own, { a, b });
    walkPlan(plan, [model, bound, sigma, anyOrder]);
    const { reach } = anyOrder.found(beside);
    const found = { model: model.result(), bound: bound.result(), sigma: sigma.result(), reach };
    return inResults(found, computation);
  }
  walkPlan(plan, [model, sigma, anyOrder]);
  const { bound, reach, orders } = anyOrder.found(beside);
  const expected = sigma.result();
  for (let e = 0; e < orders.length; e++)
    expected.data[e] = Math.hypot(expected.data[e], Math.min(orderSigma, orders[e]));
  return inResults({ model: model.result(), bound, sigma: expected, reach }, computation);
}
