import type { Arithmetic } from '../formats/arithmetic32.ts';
import { f32 } from '../formats/format.ts';
import { type Matrix, zerosF64 } from '../matrix/dense.ts';
import { unpack } from '../plan/pack.ts';
import type { MultiplyStep, Plan, Step, Update } from '../plan/plan.ts';
import { addProduct } from './add-product.ts';
import { entriesOf, Memory } from './memory.ts';
import type { Mirror } from './mirror.ts';
import type { Lane } from './walk.ts';

/**
 * The running bound: a rigorous running error analysis of the very plan that ran. Every block carries a bound
 * e on the distance between what any device with unit roundoff u may hold and the exact value; the mirror
 * holds one such value v̂, so any other is within |v̂| + 2e of zero, and the exact one within |v̂| + e:
 *
 *     sum      e = Σ e_i + u·(|v̂| + 2Σ e_i)                    (to first order in u; the rest is rounded up)
 *     product  e = γ_k·X·Y + |x̂|·e_y + e_x·|ŷ| + 3·e_x·e_y,     X = |x̂| + 2e_x, Y = |ŷ| + 2e_y,
 *              γ_k = ku/(1 − ku)                               (Higham, ASNA, §3.1; any order, fused or not)
 *
 * plus, for each operation, what underflow may lose. Exceeding the bound proves a defect.
 *
 * Cost: three times the multiplications of the plan in doubles (one for plans without recursion), and memory
 * of eight bytes an entry of A, B, C and the workspace.
 */
export class Bound implements Lane {
  private readonly memory: Memory<Float64Array>;
  private readonly mirror: Mirror;
  private readonly plan: Plan;
  private readonly u: number;
  private readonly underflow: Underflow;

  constructor(plan: Plan, mirror: Mirror, arithmetic: Arithmetic) {
    this.plan = plan;
    this.mirror = mirror;
    this.memory = new Memory(plan, (length) => new Float64Array(length));
    this.u = unitRoundoffOf(arithmetic);
    this.underflow = underflowOf(arithmetic);
  }

  product(step: MultiplyStep): void {
    const { k } = step.shape;
    const gamma = (k * this.u) / (1 - k * this.u);
    const x = operandBounds(this.mirror.memory.values(step.x), this.memory.values(step.x));
    const y = operandBounds(this.mirror.memory.values(step.y), this.memory.values(step.y));
    const out = this.memory.product(step);
    out.fill(0);
    addProduct(
      x.size.map((size) => gamma * size),
      y.size,
      step.shape,
      out,
    );
    if (!y.exact) addProduct(x.value, y.error, step.shape, out);
    if (!x.exact) {
      // e_x·|ŷ| + 3·e_x·e_y = e_x·(|ŷ| + 3·e_y)
      const across = y.value.map((value, e) => value + 3 * y.error[e]);
      addProduct(x.error, across, step.shape, out);
    }
    const lost = k * (this.underflow.product + this.underflow.operand * (x.largest + y.largest));
    // 3k + 8 roundings of the sums above, each at most 2^-53 of the result, are rounded up.
    const up = 1 + (3 * k + 8) * 2 ** -52;
    for (let e = 0; e < out.length; e++) out[e] = (out[e] + lost) * up;
  }

  update(step: Step, update: Update): void {
    const [p, q] = update.terms;
    const slot = step.slots[update.target];
    const result = this.memory.values(slot);
    const left = this.memory.term(step, p);
    const entries = entriesOf(step);
    if (q === undefined) {
      for (let e = 0; e < entries; e++) result[e] = left[e];
    } else {
      const right = this.memory.term(step, q);
      const value = this.mirror.memory.values(slot);
      for (let e = 0; e < entries; e++) {
        const before = left[e] + right[e];
        const after =
          before + this.u * (Math.abs(value[e]) + 2 * before) * (1 + 8 * this.u) + this.underflow.sum;
        result[e] = after * (1 + 2 ** -50);
      }
    }
    this.memory.commit(slot, result);
  }

  /** The bound on each entry of C, m×n; not finite where an intermediate value overflowed or was not a number. */
  result(): Matrix<Float64Array> {
    const bound = zerosF64(this.plan.shape.m, this.plan.shape.n);
    unpack(this.memory.buffers.C, this.plan.layouts.C, bound);
    return bound;
  }
}

/** The largest relative error of one operation: 2^-24 where the device was measured to round to nearest, else 2^-23. */
export function unitRoundoffOf(arithmetic: Arithmetic): number {
  return arithmetic.roundsToNearest ? f32.unitRoundoff : 2 * f32.unitRoundoff;
}

/** What one operation may lose beyond rounding: by gradual underflow, or by flushing subnormals to zero. */
export interface Underflow {
  readonly product: number;
  readonly sum: number;
  /** Per unit of the other operand: a flushed operand of a product. */
  readonly operand: number;
}

/** The underflow of a device's arithmetic. */
export function underflowOf(arithmetic: Arithmetic): Underflow {
  if (!arithmetic.flushesSubnormals) return { product: f32.minSubnormal, sum: 0, operand: 0 };
  return { product: 3 * f32.minNormal, sum: 3 * f32.minNormal, operand: f32.minNormal };
}

interface OperandBounds {
  /** |v̂| + 2e. */
  readonly size: Float64Array;
  readonly value: Float64Array;
  readonly error: Float64Array;
  readonly exact: boolean;
  /** The largest finite size. */
  readonly largest: number;
}

function operandBounds(values: Float32Array, errors: Float64Array): OperandBounds {
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
