import { type Matrix, zerosF64 } from '../matrix/dense.ts';
import { type Diagonal, scaleBack, scalePair } from '../matrix/diagonal.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { type StackedOperands, stackRows } from '../matrix/members.ts';
import type { Plan } from '../plan/plan.ts';
import type { Computation } from '../precision/precision.ts';
import { RunningBound } from './bound.ts';
import { BitExactModel } from './model.ts';
import { inResults, upToSums } from './result-rounding.ts';
import { SigmaReader } from './sigma.ts';
import { walkPlan } from './walk.ts';

/** The results of all readers for one product, each an m×n matrix. */
export interface Analysis {
  readonly model: Matrix;
  /** The largest error of any correct device, entry by entry. */
  readonly bound: Matrix<Float64Array>;
  /** The expected error, entry by entry. */
  readonly sigma: Matrix<Float64Array>;
  /**
   * The largest absolute value that an intermediate value of an entry may have, entry by entry, in any allowed order of sums. Infinite
   * where one may overflow. @defaultValue the model decides what overflows
   */
  readonly reach?: Matrix<Float64Array> | undefined;
}

/**
 * Runs model, running bound and sigma reader in one walk.
 * @param before the old values of C, for a plan of alpha·A·B + beta·C.
 */
export function analyze(
  plan: Plan,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  before?: Matrix,
): Analysis {
  const sums = upToSums(computation);
  const model = new BitExactModel(plan, a, b, sums, before);
  const bound = new RunningBound(plan, model, sums, { a, b });
  const sigma = new SigmaReader(plan, model, sums, { a, b });
  walkPlan(plan, [model, bound, sigma]);
  const found = { model: model.result(), bound: bound.result(), sigma: sigma.result() };
  return inResults(found, computation);
}

/** Stacks the analyses of the products of a batch, one below the other. */
export function stackAnalyses(parts: readonly Analysis[], gemm: Pick<Gemm, 'm' | 'n' | 'batch'>): Analysis {
  if (gemm.batch === 1) return parts[0];
  const wide = (matrices: readonly Matrix<Float64Array>[]) =>
    (matrices.length === 0 ? zerosF64(0, gemm.n) : stackRows(matrices, gemm)) as Matrix<Float64Array>;
  const reaches = parts.flatMap(({ reach }) => reach ?? []);
  return {
    model: stackRows(
      parts.map(({ model }) => model),
      gemm,
    ),
    bound: wide(parts.map(({ bound }) => bound)),
    sigma: wide(parts.map(({ sigma }) => sigma)),
    ...(reaches.length === parts.length && { reach: wide(reaches) }),
  };
}

/** The errors of each entry of D that the claimed quantization of an operand leaves open: the most, and their standard deviation. */
export interface QuantizationDoubts {
  readonly bound: Float64Array;
  readonly sigma: Float64Array;
  /** The size of what is added, where offsets are subtracted from sums. @defaultValue |A||B| */
  readonly size?: Float64Array | undefined;
}

/** Adds what quantization leaves open to the errors that sums may have. */
export function withDoubts(analysis: Analysis, doubts: QuantizationDoubts | undefined): Analysis {
  if (doubts === undefined) return analysis;
  const { bound, sigma } = analysis;
  const more = 1 + 2 ** -40;
  return {
    ...analysis,
    bound: { ...bound, data: bound.data.map((own, e) => own + doubts.bound[e] * more) },
    sigma: { ...sigma, data: sigma.data.map((own, e) => Math.hypot(own, doubts.sigma[e])) },
  };
}

/**
 * Analyzes a product whose operands are scaled by powers of two and which is scaled back. The analysis is that of the scaled operands,
 * scaled back, with the possible loss of results that then are subnormal.
 */
export function inDiagonal(
  operands: Pick<StackedOperands, 'a' | 'b'>,
  diagonal: Diagonal,
  { precision }: Computation,
  analyze: (scaled: Pick<StackedOperands, 'a' | 'b'>) => Analysis,
): Analysis {
  const pair = scalePair(operands, diagonal, { a: precision.a.round, b: precision.b.round });
  const { model, bound, sigma, reach } = analyze({ a: pair.a, b: pair.b });
  const least = precision.d.minSubnormal;
  const back = scaleBack(model, pair);
  const withLost = (errors: Analysis['bound']) => {
    const own = scaleBack(errors, pair);
    return { ...own, data: own.data.map((error) => error * (1 + 2 ** -50) + least) };
  };
  return {
    model: { ...back, data: back.data.map(precision.d.round) },
    bound: withLost(bound),
    sigma: withLost(sigma),
    // Powers of two are removed again, so the sizes before decide what overflows.
    reach: reach && {
      ...reach,
      data: reach.data.map((size) => (size < precision.accumulated.maxFinite ? 0 : Number.POSITIVE_INFINITY)),
    },
  };
}
