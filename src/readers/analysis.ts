import { type Matrix, zerosF64 } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { stackRows } from '../matrix/members.ts';
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
  return {
    model: stackRows(
      parts.map(({ model }) => model),
      gemm,
    ),
    bound: wide(parts.map(({ bound }) => bound)),
    sigma: wide(parts.map(({ sigma }) => sigma)),
    ...(parts.some(({ reach }) => reach === undefined)
      ? {}
      : { reach: wide(parts.map(({ reach }) => reach as Matrix<Float64Array>)) }),
  };
}
