import { fractionsOf } from '../algorithms/notation.ts';
import { mapNumbers } from '../base/numbers.ts';
import type { Matrix, RealArray, Shape } from '../matrix/dense.ts';
import type { MultiplyStep, Step, Update } from '../plan/plan.ts';
import { addProduct } from '../precision/add-product.ts';
import { deviationOf, type OperandError, unitRoundoffOf } from '../precision/device-errors.ts';
import { Companion, type FollowedProduct } from './companion.ts';
import type { LeafErrors } from './summation-stages.ts';
import { TermSums } from './term-sums.ts';

/**
 * The sigma reader: the same walk as the running bound, with variances. Rounding errors are taken as
 * independent, with mean zero and standard deviation at most u times the result (Higham and Mary, *A new
 * approach to probabilistic rounding error analysis*, 2019):
 *
 *     sum      q = Σ q_i + (u·v̂)²
 *     product  q = u²·(k/2 + 1)·Q + u²·(k/3 + 1/2)·max(0, ĉ² − Q) + X̂²q_Y + q_X·Ŷ²,     Q = X̂²Ŷ²
 *              (squares entry by entry; the second term is for data that are not centered, whose partial sums grow with k;
 *              other claimed sums: {@link leafErrors})
 *
 *     scaled   q = s²·q_x + (u·v̂)²; a coefficient such as 1/3 errs alike in all entries, not at random: see {@link CoefficientErrors}
 *     t values in any order  Σ (q_i + (t − 1)·(u·v̂_i)²): the mean square of a partial sum is at most that of all
 *
 * plus q_X + (u_in·X̂)² in place of q_X, likewise q_Y, where operands are rounded before they are multiplied; and for
 * each operation the square of the largest loss by underflow: flushing is no random error. A loss toward zero has a nonzero
 * mean: an operand that loses d of itself on average makes a product lose d·ĉ, and both operands (d_x + d_y)·ĉ, whose square is
 * added. So is that of the loss of subnormal operands, which is known ({@link addLost}). The loss of sums is in {@link leafErrors}.
 *
 * √q is the expected error of each entry. Only random data satisfy the assumption: an input family declares
 * whether its rounding errors may be judged so. Squares are doubles, so for binary64 entries and errors beyond 2^±250 they
 * are meaningless.
 *
 * Cost: twice the multiplications of the plan in doubles, and eight bytes an entry of A, B, C and workspace.
 */
export class SigmaReader extends Companion {
  private readonly coefficients: CoefficientErrors | undefined;

  constructor(...of: FollowedProduct) {
    const [{ algorithm }, , computation] = of;
    super(deviationOf(computation), ...of);
    if (fractionsOf(algorithm).size > 0) this.coefficients = new CoefficientErrors(...of);
  }

  protected decoded(values: RealArray, error: OperandError): Float64Array {
    return roundedVariances(values, new Float64Array(values.length), squares(values), error);
  }

  override scale(step: Step, slot: number, factor: number): void {
    super.scale(step, slot, factor);
    this.coefficients?.scale(step, slot, factor);
  }

  override update(step: Step, update: Update): void {
    super.update(step, update);
    this.coefficients?.update(step, update);
  }

  product(step: MultiplyStep): void {
    this.coefficients?.product(step);
    const { m, k, n } = step.shape;
    const [x, y] = [this.factor(step.x, 'x', m, k), this.factor(step.y, 'y', k, n)];
    const [x2, y2] = [squares(x.values), squares(y.values)];
    const [qx, qy] = [
      roundedVariances(x.values, x.own, x2, this.operandError),
      roundedVariances(y.values, y.own, y2, this.operandError),
    ];
    const out = this.memory.product(step);
    out.fill(0);
    addProduct(x2, y2, step.shape, out);
    const { drift, lost: lostOf } = this.operandLoss;
    const [xIsRounded, yIsRounded] = [!isZero(qx), !isZero(qy)];
    this.addSums(out, step, x.values, y.values, drift * (Number(xIsRounded) + Number(yIsRounded)));
    if (yIsRounded) addProduct(x2, qy, step.shape, out);
    if (xIsRounded) addProduct(qx, y2, step.shape, out);
    if (lostOf !== undefined) addLost(x.values, y.values, lostOf, step.shape, out);
    const { operations, absolute } = this.leaf(step);
    const operand = this.underflow.operand * Math.sqrt(largest(x2) + largest(y2));
    const lost = absolute + Math.max(1, operations) * k * (this.underflow.product + operand);
    for (let e = 0; e < out.length; e++) out[e] += lost * lost;
  }

  /** Converts Σ x²y² of each entry to the variance of the sum of its products, for operands with a joint drift. */
  private addSums(out: Float64Array, step: MultiplyStep, x: RealArray, y: RealArray, drift: number): void {
    const leaf = this.leaf(step);
    const sums = this.model.productNumbers(step);
    const productOf = (of: (x: number) => number) => {
      const product = new Float64Array(out.length);
      addProduct(mapNumbers(x, of), mapNumbers(y, of), step.shape, product);
      return product;
    };
    const sizes = leaf.largest === 0 ? undefined : productOf(Math.abs);
    const surplus = leaf.signs === 0 ? undefined : productOf(Math.sign);
    for (let e = 0; e < out.length; e++) {
      const squares = out[e];
      // For a sum that overflows, only its terms are known.
      const square = Number.isFinite(sums[e]) ? sums[e] * sums[e] : squares;
      const size = sizes === undefined ? 0 : (sizes[e] + Math.abs(sums[e])) ** 2;
      const own = sumVariance(leaf, squares, square, size, surplus === undefined ? 0 : surplus[e] ** 2);
      out[e] = own + drift ** 2 * square;
    }
  }

  protected sum(left: Float64Array, right: Float64Array, value: RealArray, result: Float64Array): void {
    const lost = this.underflow.sum ** 2;
    for (let e = 0; e < result.length; e++) {
      const rounding = this.u * value[e];
      result[e] = left[e] + right[e] + rounding * rounding + lost;
    }
  }

  protected scaled(variances: Float64Array, values: RealArray, factor: number): void {
    const lost = (this.underflow.product + this.underflow.operand * Math.abs(factor)) ** 2;
    for (let e = 0; e < variances.length; e++) {
      const rounding = this.u * values[e];
      variances[e] = factor * factor * variances[e] + rounding * rounding + lost;
    }
  }

  protected represented(): void {}

  protected inAnyOrder(own: Float64Array, values: RealArray, additions: number): Float64Array {
    const lost = this.underflow.sum ** 2;
    return own.map((q, e) => q + additions * (this.u * values[e]) ** 2 + lost);
  }

  /** Returns √q: the expected standard deviation of each entry of C, m×n. */
  result(): Matrix<Float64Array> {
    const sigma = this.unpacked();
    const alike = this.coefficients?.result().data;
    for (let e = 0; e < sigma.data.length; e++)
      sigma.data[e] = Math.sqrt(sigma.data[e] + (alike === undefined ? 0 : alike[e] ** 2));
    return sigma;
  }
}

/**
 * Returns the variance of the sum of the products of an entry; for several entries, the sum of theirs, given sums. See {@link LeafErrors}.
 * @param squares Σ x²y². @param square the square of the sum. @param size the square of Σ|x||y| plus the size of the sum.
 * @param surplus the square of the terms above zero less those below.
 */
export function sumVariance(
  { terms, mean, result, largest, signs, share }: LeafErrors,
  squares: number,
  square: number,
  size: number,
  surplus: number,
): number {
  const beyond = Math.max(0, square - squares);
  const own = terms * squares + mean * beyond + result * square;
  const unordered = largest === 0 ? own : own + (largest * size) / 4;
  return signs === 0 ? unordered : unordered + signs * surplus * share * (squares + share * beyond);
}

/** Returns the variances of an operand of a product after rounding, given its squares. */
export function roundedVariances(
  values: RealArray,
  variances: Float64Array,
  squares: Float64Array,
  operandError: OperandError | undefined,
): Float64Array {
  if (operandError === undefined) return variances;
  const { deviation, absolute, keeps } = operandError;
  return variances.map((q, e) =>
    q === 0 && keeps(values[e]) ? 0 : q + deviation ** 2 * squares[e] + absolute ** 2,
  );
}

/** Adds the squares of the known losses of a product's entries from parts of their operands: x·y − (x − lost x)·(y − lost y). */
export function addLost(
  x: RealArray,
  y: RealArray,
  lostOf: (value: number) => number,
  shape: Shape,
  out: Float64Array,
): void {
  const [left, right] = [mapNumbers(x, lostOf), mapNumbers(y, lostOf)];
  if (isZero(left) && isZero(right)) return;
  const lost = new Float64Array(out.length);
  addProduct(
    left,
    mapNumbers(y, (value, e) => value - right[e]),
    shape,
    lost,
  );
  addProduct(Float64Array.from(x), right, shape, lost);
  for (let e = 0; e < out.length; e++) out[e] += lost[e] * lost[e];
}

function isZero(values: Float64Array): boolean {
  for (let e = 0; e < values.length; e++) if (values[e] !== 0) return false;
  return true;
}

function squares(values: RealArray): Float64Array {
  const result = new Float64Array(values.length);
  for (let e = 0; e < values.length; e++) result[e] = values[e] * values[e];
  return result;
}

/** Returns the largest finite value. */
function largest(values: Float64Array): number {
  let most = 0;
  for (let e = 0; e < values.length; e++) {
    if (values[e] > most && values[e] < Number.POSITIVE_INFINITY) most = values[e];
  }
  return most;
}

/**
 * The error from rounded coefficients such as 1/3: u·|v̂| for a block multiplied by one, to first order in u. All
 * its entries err alike, so errors add up through sums and products, not their squares:
 *
 *     sum      e = Σ e_i        scaled   e = |s|·e_x        product  e = |x̂|·e_y + e_x·|ŷ|
 */
class CoefficientErrors extends TermSums {
  constructor(...of: FollowedProduct) {
    super(unitRoundoffOf(of[2]), ...of);
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
