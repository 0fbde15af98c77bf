import type { Matrix } from '../matrix/dense.ts';
import { resultErrorOf } from '../precision/device-errors.ts';
import { holdsAll } from '../precision/format.ts';
import type { Computation } from '../precision/precision.ts';

/** Returns the same computation up to its complete sums, before results are rounded to a narrower format. */
export function upToSums<C extends Computation>(computation: C): C {
  const { precision } = computation;
  const { accumulated, d } = precision;
  if (d === accumulated || holdsAll(d, accumulated)) return computation;
  return { ...computation, precision: { ...precision, c: accumulated, d: accumulated } };
}

/** The results of readers for each entry. */
interface Readings {
  readonly model: Matrix;
  readonly bound: Matrix<Float64Array>;
  readonly sigma: Matrix<Float64Array>;
}

/**
 * Converts errors of complete sums to errors of results. With v the model's sum and e its bound, any other is at most |v| + 2e. Its
 * rounding errs by u·(|v| + 2e) + η, η half the smallest number, or no result is beyond those of the least and the largest sum. Expected
 * errors add up as variances.
 */
export function inResults<R extends Readings>(analysis: R, computation: Computation): R {
  const error = resultErrorOf(computation);
  if (error === undefined) return analysis;
  const { bound: boundOf, spread, round } = error;
  const { model, bound, sigma } = analysis;
  const sums = model.data;
  return {
    ...analysis,
    model: { ...model, data: sums.map(round) },
    bound: { ...bound, data: bound.data.map((before, e) => boundOf(sums[e], before) * (1 + 2 ** -50)) },
    sigma: {
      ...sigma,
      data: sigma.data.map((before, e) => spread(before, Math.abs(sums[e]), 1)),
    },
  };
}
