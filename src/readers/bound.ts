import { coefficientFraction } from '../algorithms/coefficient.ts';
import type { Matrix, RealArray, Shape } from '../matrix/dense.ts';
import type { MultiplyStep } from '../plan/plan.ts';
import { addProduct } from '../precision/add-product.ts';
import { type OperandError, type Underflow, unitRoundoffOf } from '../precision/device-errors.ts';
import { Companion, type FollowedProduct, type FollowedValues } from './companion.ts';
import type { LeafErrors } from './summation-stages.ts';

/**
 * The running bound: a rigorous running error analysis of the executed plan. Every block carries a bound
 * e on the distance between the value of any device with unit roundoff u and the exact value. The model
 * holds one such value v̂, so any other is within |v̂| + 2e of zero, and the exact one within |v̂| + e:
 *
 *     sum      e = Σ e_i + u·(|v̂| + 2Σ e_i)                    (to first order in u; the rest is rounded up)
 *     product  e = γ_k·X·Y + |x̂|·e_y + e_x·|ŷ| + 3·e_x·e_y,     X = |x̂| + 2e_x, Y = |ŷ| + 2e_y,
 *              γ_k = ku/(1 − ku)                               (Higham, ASNA, §3.1; any order, fused or not)
 *              or the loss of claimed sums ({@link leafErrors})
 *
 *     scaled   e = |s|·e_x + u·(|v̂| + 2|s|·e_x), twice the roundings where s is a fraction such as 1/3: it is rounded itself,
 *              or its operand is divided by 3. Two fused levels have four: 1/9 may be the product of rounded ones.
 *     t values in any order  Σ (e_i + (t − 1)·u·(|v̂_i| + 2e_i)/(1 − 2tu)): no partial sum exceeds Σ |v_i|·(1 + u)^t
 *
 * plus, for each operation, the possible loss by underflow. Where operands are rounded before they are multiplied, e_x becomes e_x +
 * u_in·(|x̂| + 2e_x) + η_in, likewise e_y, except for exact numbers that rounding keeps; where they are decoded, before sums of blocks.
 * Exceeding the bound proves a defect.
 *
 * Cost: three times the multiplications of the plan in doubles (one for plans without recursion), and memory
 * of eight bytes an entry of A, B, C and the workspace.
 */
export class RunningBound extends Companion {
  private readonly minNormal: number;

  constructor(...of: FollowedProduct) {
    const [, , computation] = of;
    super(unitRoundoffOf(computation), ...of);
    this.minNormal = computation.precision.accumulated.minNormal;
  }

  protected decoded(values: RealArray, error: OperandError): Float64Array {
    return rounded(values, new Float64Array(values.length), error);
  }

  product(step: MultiplyStep): void {
    const { m, k, n } = step.shape;
    const x = this.operand(this.factor(step.x, 'x', m, k));
    const y = this.operand(this.factor(step.y, 'y', k, n));
    const out = this.memory.product(step);
    out.fill(0);
    addProductBounds(x, y, step.shape, { leaf: this.leaf(step), underflow: this.underflow }, out);
  }

  private operand({ values, own: errors }: FollowedValues): OperandBounds {
    return operandBounds(values, errors, this.operandError);
  }

  protected sum(left: Float64Array, right: Float64Array, value: RealArray, result: Float64Array): void {
    for (let e = 0; e < result.length; e++) {
      const before = left[e] + right[e];
      const rounding = this.u * (Math.abs(value[e]) + 2 * before) * (1 + 8 * this.u);
      result[e] = (before + rounding + this.underflow.sum) * (1 + 2 ** -50);
    }
  }

  protected scaled(errors: Float64Array, values: RealArray, factor: number): void {
    const size = Math.abs(factor);
    const lost = this.underflow.product + this.underflow.operand * size;
    for (let e = 0; e < errors.length; e++) {
      const before = size * errors[e];
      const rounding = this.u * (Math.abs(values[e]) + 2 * before) * (1 + 8 * this.u);
      errors[e] = (before + rounding + lost) * (1 + 2 ** -50);
    }
  }

  protected represented(errors: Float64Array, values: RealArray, coefficient: number): void {
    const lostAt = this.lostBefore(coefficient);
    for (let e = 0; e < errors.length; e++) {
      const rounding = this.roundings * this.u * (Math.abs(values[e]) + 2 * errors[e]) * (1 + 8 * this.u);
      errors[e] = (errors[e] + rounding + lostAt(values[e], errors[e])) * (1 + 2 ** -50);
    }
  }

  /** Returns the loss by underflow of x/q before it is multiplied by p, where the coefficient is p/q, given p·x/q and its error. */
  protected lostBefore(coefficient: number): (value: number, error: number) => number {
    const num = Math.abs(Number(coefficientFraction(coefficient).num));
    const [lost, least] = [(this.underflow.product + this.underflow.operand) * num, 2 * this.minNormal * num];
    return (value, error) => (Math.abs(value) - 2 * error < least ? lost : 0);
  }

  protected inAnyOrder(own: Float64Array, values: RealArray, additions: number): Float64Array {
    const up = (1 + 2 ** -50) / (1 - Math.min(0.5, 2 * additions * this.u));
    return own.map((error, e) => {
      const rounding = additions * this.u * (Math.abs(values[e]) + 2 * error);
      return (error + rounding + this.underflow.sum) * up;
    });
  }

  /** Returns the bound on each entry of C, m×n. It is not finite where an intermediate value overflowed or was NaN. */
  result(): Matrix<Float64Array> {
    return this.unpacked();
  }
}

/** The bounds of an operand of a product, or sums of those of several entries. */
export interface OperandBounds {
  /** |v̂| + 2e. */
  readonly size: Float64Array;
  readonly value: Float64Array;
  readonly error: Float64Array;
  readonly exact: boolean;
  /** The largest finite size of an entry. */
  readonly largest: number;
}

/**
 * Adds the bounds of a product to `out`, m×n zeros, or anything where sizes are known. They are linear in those of y. Where columns of y are sums over `entries` of a row,
 * entries of `out` are the sums of their bounds.
 * @param known `entries`, and the product of the sizes of x and y where it is known.
 */
export function addProductBounds(
  x: OperandBounds,
  y: OperandBounds,
  shape: Shape,
  { leaf, underflow }: { readonly leaf: LeafErrors; readonly underflow: Underflow },
  out: Float64Array,
  known: { readonly entries?: number; readonly sizes?: Float64Array | undefined } = {},
): void {
  const { k } = shape;
  const { entries = 1, sizes } = known;
  if (sizes === undefined) addProduct(x.size, y.size, shape, out);
  const from = sizes ?? out;
  // Not before: γ times a small binary64 number may underflow.
  for (let e = 0; e < out.length; e++) out[e] = from[e] * leaf.loss;
  if (!y.exact) addProduct(x.value, y.error, shape, out);
  if (!x.exact) {
    // e_x·|ŷ| + 3·e_x·e_y = e_x·(|ŷ| + 3·e_y)
    const across = new Float64Array(y.value.length);
    for (let e = 0; e < across.length; e++) across[e] = y.value[e] + 3 * y.error[e];
    addProduct(x.error, across, shape, out);
  }
  const lost =
    leaf.absolute +
    Math.max(1, leaf.operations) * k * (underflow.product + underflow.operand * (x.largest + y.largest));
  // 3k + 8 roundings of the sums above, each at most 2^-53 of the result, are rounded up, and so are those of sums over entries.
  const up = 1 + (3 * k + 7 + entries) * 2 ** -52;
  for (let e = 0; e < out.length; e++) out[e] = (out[e] + lost * entries) * up;
}

/** Returns the errors of operands after rounding. */
function rounded(
  values: RealArray,
  errors: Float64Array,
  { relative, absolute, overflows, keeps }: OperandError,
): Float64Array {
  return errors.map((error, e) => {
    const size = Math.abs(values[e]) + 2 * error;
    if (error === 0 && size < Number.POSITIVE_INFINITY && keeps(values[e])) return 0;
    if (!(size < overflows)) return Number.POSITIVE_INFINITY;
    return (error + relative * size + absolute) * (1 + 2 ** -50);
  });
}

/** Returns the bounds of values with given errors after rounding. */
export function operandBounds(
  values: RealArray,
  before: Float64Array,
  operandError: OperandError | undefined,
): OperandBounds {
  const errors = operandError === undefined ? before : rounded(values, before, operandError);
  const length = values.length;
  const size = new Float64Array(length);
  const value = new Float64Array(length);
  let exact = true;
  let largest = 0;
  for (let e = 0; e < length; e++) {
    value[e] = Math.abs(values[e]);
    size[e] = value[e] + 2 * errors[e];
    if (errors[e] !== 0) exact = false;
    if (size[e] > largest && size[e] < Number.POSITIVE_INFINITY) largest = size[e];
  }
  return { size, value, error: errors, exact, largest };
}
