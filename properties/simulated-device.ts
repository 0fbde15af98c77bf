import { createRandom, type Random } from '../src/base/random.ts';
import { roundSum } from '../src/base/rounding.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import { packBlocks, unpackBlocks } from '../src/plan/pack.ts';
import {
  type FactorSum,
  type MultiplyStep,
  type Plan,
  PRODUCT,
  type Step,
  type Update,
} from '../src/plan/plan.ts';
import { type Arithmetic, emulated } from '../src/precision/arithmetic.ts';
import type { Format } from '../src/precision/format.ts';
import type { Computation, Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { singleComputation } from '../src/precision/single.ts';
import { countUpdatedEntries, PlanMemory } from '../src/readers/memory.ts';
import { type PlanReader, walkPlan } from '../src/readers/walk.ts';

/** IEEE 754 binary32 with separate products and sums, and without flushing of subnormals. */
export const NEAREST = singleComputation(emulated);

export const roundings = ['nearest', 'either neighbour', 'upward'] as const;
export const orders = ['sequential', 'shuffled', 'pairwise'] as const;

/** A device for which a plan's bounds must hold. It differs from the model in rounding, order and fusing. */
export interface Manners {
  /** A precision with sums of binary32 or narrower: a double can represent their rounding. */
  readonly precision: string;
  /** `nearest` has unit roundoff u, 2^-24 in binary32; either neighbor, or always the upper one, 2u. */
  readonly rounding: (typeof roundings)[number];
  /** The order in which a leaf product sums its terms. */
  readonly order: (typeof orders)[number];
  /** Terms of sequential and shuffled sums are added by fma. */
  readonly fused: boolean;
  /** Subnormal operands and results become zeros. */
  readonly flushes: boolean;
  /** Seed of the choices among neighbors, and of the shuffling. */
  readonly seed: number;
}

/** Describes such a device for the readers. */
export function computationOf({ precision: name, rounding, fused, flushes }: Manners): Computation {
  const precision = precisions.find(name);
  const arithmetic: Arithmetic = {
    ...emulated,
    rounding: rounding === 'nearest' ? 'nearest' : 'faithful',
    fma: fused ? 'once' : 'twice',
    subnormals: flushes ? { operands: true, below: precision.accumulated.minNormal } : 'kept',
  };
  return { precision, arithmetic };
}

/** Computes the plan's C = A·B as such a device does. */
export function simulate(plan: Plan, a: Matrix, b: Matrix, manners: Manners): Matrix<Float32Array> {
  const device = new SimulatedDevice(plan, a, b, manners);
  walkPlan(plan, [device]);
  const c = matrix(plan.shape.m, plan.shape.n, new Float32Array(plan.shape.m * plan.shape.n));
  unpackBlocks(device.memory.buffers.C, plan.layouts.C, c);
  return c;
}

class SimulatedDevice implements PlanReader {
  readonly memory: PlanMemory<Float32Array>;
  private readonly manners: Manners;
  private readonly precision: Precision;
  private readonly random: Random;

  constructor(plan: Plan, a: Matrix, b: Matrix, manners: Manners) {
    this.manners = manners;
    this.precision = precisions.find(manners.precision);
    this.random = createRandom(manners.seed, 7);
    this.memory = new PlanMemory(plan, (length) => new Float32Array(length), Number.NaN);
    packBlocks(a, plan.layouts.A, this.memory.buffers.A);
    packBlocks(b, plan.layouts.B, this.memory.buffers.B);
  }

  product(step: MultiplyStep): void {
    const { m, k, n } = step.shape;
    const { a, multiplied } = this.precision;
    // Where entries are multiplied as they are stored, sums of blocks of them are numbers of the format of sums.
    const round = multiplied === a ? (x: number) => x : multiplied.round;
    const [x, y] = [this.factor(step.x, m, k).map(round), this.factor(step.y, k, n).map(round)];
    const out = this.memory.product(step);
    const identity = Uint32Array.from({ length: k }, (_, p) => p);
    const order = this.manners.order === 'shuffled' ? this.random.permutation(k) : identity;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        const left = Array.from(order, (p) => this.operand(x[i * k + p]));
        const right = Array.from(order, (p) => this.operand(y[p * n + j]));
        out[i * n + j] = this.dot(left, right);
      }
    }
  }

  scale(step: Step, slot: number, factor: number): void {
    const values = this.memory.term(step, { factor: 1, slot });
    for (let e = 0; e < countUpdatedEntries(step); e++)
      values[e] = this.round(this.operand(values[e]) * factor);
    if (slot !== PRODUCT) this.memory.commitSlot(step, step.slots[slot], values);
  }

  private factor(factor: FactorSum, rows: number, cols: number): Float32Array {
    const terms = factor.map((addend) =>
      this.memory.values(addend, addend.window && rows, addend.window && cols),
    );
    return terms[0].map((_, e) => this.total(factor.map((addend, at) => [addend.factor, terms[at][e]])));
  }

  update(step: Step, { target, terms }: Update): void {
    const slot = step.slots[target];
    const result = this.memory.slot(step, slot);
    const values = terms.map((term) => this.memory.term(step, term));
    for (let e = 0; e < countUpdatedEntries(step); e++) {
      result[e] = this.total(terms.map((term, at) => [term.factor, values[at][e]]));
    }
    this.memory.commitSlot(step, slot, result);
  }

  /** Adds from left to right, with factors other than ±1 in a multiply-add; 0 for no terms. */
  private total(terms: readonly (readonly [factor: number, value: number])[]): number {
    return (
      terms.reduce<number | undefined>((sum, [factor, value]) => {
        if (Math.abs(factor) === 1) return sum === undefined ? factor * value : this.sum(sum, factor * value);
        const x = this.operand(value);
        return this.manners.fused
          ? this.fma(factor, x, sum ?? 0)
          : this.sum(this.round(factor * x), sum ?? 0);
      }, undefined) ?? 0
    );
  }

  private dot(x: readonly number[], y: readonly number[]): number {
    if (this.manners.order === 'pairwise') return this.pairwise(x, y, 0, x.length);
    let sum = 0;
    for (let p = 0; p < x.length; p++) {
      sum = this.manners.fused ? this.fma(x[p], y[p], sum) : this.sum(sum, this.round(x[p] * y[p]));
    }
    return sum;
  }

  private pairwise(x: readonly number[], y: readonly number[], from: number, to: number): number {
    if (to - from === 1) return this.round(x[from] * y[from]);
    const middle = (from + to) >> 1;
    return this.sum(this.pairwise(x, y, from, middle), this.pairwise(x, y, middle, to));
  }

  private sum(x: number, y: number): number {
    return this.round(this.operand(x) + this.operand(y));
  }

  private fma(x: number, y: number, sum: number): number {
    const exact = x * y + this.operand(sum);
    return this.manners.rounding === 'nearest' && !this.tiny(exact)
      ? roundSum(x * y, this.operand(sum), this.precision.accumulated.round)
      : this.round(exact);
  }

  /**
   * Rounds a double that is itself the rounded value of an operation. Its neighbors in a narrower format are those of the exact value,
   * unless the double is a number of the format: then it is one of them. So either is a faithful result.
   */
  private round(exact: number): number {
    if (this.tiny(exact)) return 0;
    const format = this.precision.accumulated;
    const near = format.round(exact);
    const { rounding } = this.manners;
    if (rounding === 'nearest' || near === exact || !Number.isFinite(near)) return near;
    const up = rounding === 'upward' || this.random.sign() > 0;
    return near > exact === up ? near : neighbor(near, up, format);
  }

  private operand(x: number): number {
    return this.tiny(x) ? 0 : x;
  }

  private tiny(x: number): boolean {
    return this.manners.flushes && Math.abs(x) < this.precision.accumulated.minNormal;
  }
}

/** Returns the next number of a format above x, or below. */
function neighbor(x: number, above: boolean, { precision, minNormal, minSubnormal }: Format): number {
  if (x === 0) return above ? minSubnormal : -minSubnormal;
  const size = Math.abs(x);
  const power = 2 ** Math.floor(Math.log2(size));
  const outward = x > 0 === above;
  // Below a power of two numbers lie twice as close.
  const binade = !outward && size === power ? power / 2 : power;
  const step = Math.max(binade, minNormal) * 2 ** (1 - precision);
  return Math.sign(x) * (outward ? size + step : size - step);
}
