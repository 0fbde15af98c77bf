import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { operandSize } from '../accuracy/operand-size.ts';
import { type ErrorMeasures, type Scales, Tally } from '../accuracy/tally.ts';
import type { Arithmetic } from '../formats/arithmetic32.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { aPriori } from '../readers/a-priori.ts';
import { analyse } from '../readers/analysis.ts';
import { unitRoundoffOf } from '../readers/device-errors.ts';
import { type SampledProduct, sampledProduct } from '../reference/sampled.ts';
import { boundUse } from './checks/running-bound.ts';
import { sigmas } from './checks/sigma.ts';
import type { ExactMultiply } from './evidence.ts';

/** The operands of a product, and what it should ideally be, where a formula says so. */
export interface MeasureOperands {
  readonly a: Matrix<Float32Array>;
  readonly b: Matrix<Float32Array>;
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

/** Products of two entries up to which everything is computed: 2048³ fits. Above, rows and columns are sampled. */
export const FULL_LIMIT = 1.2e10;
/** Products of two entries that a sample may cost. */
const SAMPLE_LIMIT = 4e9;

/** Runs a kernel once and measures it; very large products are compared by sampled rows and columns. */
export async function measureProduct(
  kernel: Kernel,
  plan: Plan,
  { a, b, ideal }: MeasureOperands,
  arithmetic: Arithmetic,
  exactMultiply: ExactMultiply,
  seed: number,
): Promise<Measurement> {
  const { m, k, n } = plan.shape;
  const execution = await kernel.multiply(a, b, plan);
  const u = unitRoundoffOf(arithmetic);
  const [sizeA, sizeB] = [operandSize(a), operandSize(b)];
  const scales: Scales = {
    u,
    maxProduct: sizeA.maxAbs * sizeB.maxAbs,
    frobeniusProduct: sizeA.frobenius * sizeB.frobenius,
  };
  const whole = m * k * n <= FULL_LIMIT;
  const sample = await sampledProduct(
    a,
    b,
    { seed, limit: whole ? FULL_LIMIT : SAMPLE_LIMIT },
    exactMultiply,
  );
  const { c } = execution;
  const common = {
    plan,
    exact: tallySample(c, a, b, sample, scales),
    ideal: ideal === undefined ? undefined : tallyIdeal(c, ideal, scales),
    checked: sample.fraction,
    aPriori: aPriori(plan, u).factor * scales.maxProduct,
    unwritten: execution.unwritten,
    seconds: execution.seconds,
  };
  if (!whole) return { ...common, readers: undefined };
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
function tallySample(
  c: Matrix<Float32Array>,
  a: Matrix<Float32Array>,
  b: Matrix<Float32Array>,
  sample: SampledProduct,
  scales: Scales,
): ErrorMeasures {
  const tally = new Tally(scales, Math.fround);
  const { rows, cols, rowValues, rowLow, colValues, colLow } = sample;
  const n = c.cols;
  const rowSizes = absoluteProduct(takeRows(a, rows), b);
  rows.forEach((i, at) => {
    for (let j = 0; j < n; j++) {
      const e = at * n + j;
      tally.add(i, j, c.data[i * n + j], rowValues.data[e], rowLow[e], rowSizes[e]);
    }
  });
  const taken = new Set(rows);
  const colSizes = absoluteProduct(a, takeCols(b, cols));
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
  c: Matrix<Float32Array>,
  ideal: (i: number, j: number) => number,
  scales: Scales,
): ErrorMeasures {
  const tally = new Tally(scales, Math.fround);
  for (let i = 0; i < c.rows; i++) {
    for (let j = 0; j < c.cols; j++)
      tally.add(i, j, c.data[i * c.cols + j], ideal(i, j), 0, scales.maxProduct);
  }
  return tally.measures();
}

function takeRows(x: Matrix<Float32Array>, rows: readonly number[]): Matrix<Float32Array> {
  const taken = matrix(rows.length, x.cols, new Float32Array(rows.length * x.cols));
  rows.forEach((row, at) => {
    taken.data.set(x.data.subarray(row * x.cols, (row + 1) * x.cols), at * x.cols);
  });
  return taken;
}

function takeCols(x: Matrix<Float32Array>, cols: readonly number[]): Matrix<Float32Array> {
  const data = new Float32Array(x.rows * cols.length);
  for (let i = 0; i < x.rows; i++) {
    cols.forEach((col, at) => {
      data[i * cols.length + at] = x.data[i * x.cols + col];
    });
  }
  return matrix(x.rows, cols.length, data);
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
