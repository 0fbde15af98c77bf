import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { type OperandSize, operandSize } from '../accuracy/operand-size.ts';
import { type ErrorMeasures, type Scales, Tally } from '../accuracy/tally.ts';
import { precisions } from '../formats/precision.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { aPriori } from '../readers/a-priori.ts';
import { analyse } from '../readers/analysis.ts';
import { operandErrorOf, unitRoundoffOf } from '../readers/device-errors.ts';
import { type SampledProduct, sampledProduct, takeCols, takeRows } from '../reference/sampled.ts';
import { boundUse } from './checks/running-bound.ts';
import { sigmas } from './checks/sigma.ts';
import type { ExactMultiply } from './evidence.ts';

/** The operands of a product, and what it should ideally be, where a formula says so. */
export interface MeasureOperands {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly ideal?: ((i: number, j: number) => number) | undefined;
}

/** One product, measured. */
export interface Measurement {
  readonly plan: Plan;
  /** Against the exact product of the stored operands, over the entries that were compared. */
  readonly exact: ErrorMeasures;
  /** Against the ideal product, over all entries. */
  readonly ideal: ErrorMeasures | undefined;
  /** The share of the entries that were compared with the exact product: 1 unless the product is very large. */
  readonly checked: number;
  /** The largest running bound and sigma of an entry, and the worst error in units of each. */
  readonly readers: Readers | undefined;
  /** The normwise a-priori bound of the literature. */
  readonly aPriori: number;
  readonly unwritten: number;
  /** Seconds on the device. */
  readonly seconds: number | undefined;
}

export interface Readers {
  readonly runningBound: number;
  readonly boundUsed: number;
  readonly boundIsVacuous: boolean;
  readonly sigma: number;
  readonly sigmas: number;
  readonly mirrorEqual: boolean;
}

/**
 * Products of two entries up to which everything is computed: 2048³ fits. Above, every entry is compared where the exact product
 * is computed on a GPU, else rows and columns are sampled; the mirror and the bounds are left out.
 */
export const FULL_LIMIT = 1.2e10;
/** Products of two entries that a sample may cost. */
const SAMPLE_LIMIT = 4e9;

/** What products of the same operands are measured by: made once, it serves every kernel and plan. */
export interface Yardstick {
  readonly operands: MeasureOperands;
  readonly sizes: { readonly a: OperandSize; readonly b: OperandSize };
  /** The exact product, or rows and columns of it. */
  readonly sample: SampledProduct;
  /** |A||B| in the sampled rows, and in the sampled columns. */
  readonly rowSizes: Float64Array;
  readonly colSizes: Float64Array;
  /** Whether the product is too large for the mirror and the bounds. @defaultValue where it is only sampled */
  readonly far?: boolean;
}

/** Computes the exact product, or above {@link FULL_LIMIT} a sample of it, and the sizes that errors are seen beside. */
export async function yardstickOf(
  operands: MeasureOperands,
  exactMultiply: ExactMultiply,
  seed: number,
  full = FULL_LIMIT,
): Promise<Yardstick> {
  const { a, b } = operands;
  const { m, k, n } = productShape(a, b);
  const work = m * k * n;
  const far = work > full;
  const whole = far && (await exactMultiply.reaches?.(a, b)) === true;
  const limit = whole ? work : far ? SAMPLE_LIMIT : full;
  const sample = await sampledProduct(a, b, { seed, limit }, exactMultiply);
  return {
    operands,
    sizes: { a: operandSize(a), b: operandSize(b) },
    sample,
    rowSizes: whole
      ? await absoluteByExact(a, b, exactMultiply)
      : absoluteProduct(takeRows(a, sample.rows), b),
    colSizes: absoluteProduct(a, takeCols(b, sample.cols)),
    far,
  };
}

/** |A||B| by an exact product: not below the true value, as {@link absoluteProduct}. */
async function absoluteByExact(a: Matrix, b: Matrix, exactMultiply: ExactMultiply): Promise<Float64Array> {
  const { product } = await exactMultiply(magnitudes(a), magnitudes(b));
  const { data } = product;
  for (let e = 0; e < data.length; e++) data[e] *= 1 + 2 ** -52;
  return data;
}

function magnitudes({ rows, cols, data }: Matrix): Matrix {
  return { rows, cols, data: data.map(Math.abs) };
}

/** Runs a kernel once and measures it; very large products are compared by sampled rows and columns. */
export async function measureProduct(
  kernel: Kernel,
  plan: Plan,
  operands: MeasureOperands,
  exactMultiply: ExactMultiply,
  seed: number,
): Promise<Measurement> {
  return measureBy(kernel, plan, await yardstickOf(operands, exactMultiply, seed));
}

/**
 * Runs a kernel once and measures it by a yardstick made before.
 * @param ideal what the product should be, instead of what the operands say.
 */
export async function measureBy(
  kernel: Kernel,
  plan: Plan,
  { operands, sizes, sample, rowSizes, colSizes, far = sample.fraction < 1 }: Yardstick,
  ideal = operands.ideal,
): Promise<Measurement> {
  const { a, b } = operands;
  const { arithmetic } = kernel;
  const { round } = precisions[arithmetic.precision].stored;
  const execution = await kernel.multiply(a, b, plan);
  const u = unitRoundoffOf(arithmetic);
  const scales: Scales = {
    u,
    maxProduct: sizes.a.maxAbs * sizes.b.maxAbs,
    frobeniusProduct: sizes.a.frobenius * sizes.b.frobenius,
  };
  const { c } = execution;
  const common = {
    plan,
    exact: tallySample(c, sample, rowSizes, colSizes, scales, round),
    ideal: ideal === undefined ? undefined : tallyIdeal(c, ideal, scales, round),
    checked: sample.fraction,
    aPriori: aPriori(plan, u, operandErrorOf(arithmetic)?.relative).factor * scales.maxProduct,
    unwritten: execution.unwritten,
    seconds: execution.seconds,
  };
  if (far) return { ...common, readers: undefined };
  const analysis = analyse(plan, a, b, arithmetic);
  const exact = { product: sample.rowValues, low: sample.rowLow };
  const use = boundUse({ execution, exact, analysis });
  return {
    ...common,
    readers: {
      runningBound: use.largest,
      boundUsed: use.used,
      boundIsVacuous: use.vacuous,
      sigma: largest(analysis.sigma.data),
      sigmas: largest(sigmas({ execution, exact, analysis })),
      mirrorEqual: c.data.every((x, e) => Object.is(x, analysis.mirror.data[e])),
    },
  };
}

/** Tallies the sampled rows, then the sampled columns without the entries of those rows. */
export function tallySample(
  c: Matrix,
  { rows, cols, rowValues, rowLow, colValues, colLow }: SampledProduct,
  rowSizes: Float64Array,
  colSizes: Float64Array,
  scales: Scales,
  round: (x: number) => number,
): ErrorMeasures {
  const tally = new Tally(scales, round);
  const n = c.cols;
  rows.forEach((i, at) => {
    for (let j = 0; j < n; j++) {
      const e = at * n + j;
      tally.add(i, j, c.data[i * n + j], rowValues.data[e], rowLow[e], rowSizes[e]);
    }
  });
  const taken = new Set(rows);
  cols.forEach((j, at) => {
    for (let i = 0; i < c.rows; i++) {
      if (taken.has(i)) continue;
      const e = i * cols.length + at;
      tally.add(i, j, c.data[i * n + j], colValues.data[e], colLow[e], colSizes[e]);
    }
  });
  return tally.measures();
}

function tallyIdeal(
  c: Matrix,
  ideal: (i: number, j: number) => number,
  scales: Scales,
  round: (x: number) => number,
): ErrorMeasures {
  const tally = new Tally(scales, round);
  for (let i = 0; i < c.rows; i++) {
    for (let j = 0; j < c.cols; j++)
      tally.add(i, j, c.data[i * c.cols + j], ideal(i, j), 0, scales.maxProduct);
  }
  return tally.measures();
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
