import { findAlgorithm } from '../src/algorithms/algorithms.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { uniform } from '../src/inputs/uniform.ts';
import type { RealArray } from '../src/matrix/dense.ts';
import { compile } from '../src/plan/compile.ts';
import { emulated } from '../src/precision/arithmetic.ts';
import { precisions } from '../src/precision/precisions.ts';
import { analyze } from '../src/readers/analysis.ts';

/** n×n×n products of uniform data on the model. */
export interface Product {
  readonly algorithm: string;
  readonly precision: string;
  readonly n: number;
  readonly levels: number;
  readonly seed: number;
  /** Number of products, of successive seeds, for the means. */
  readonly times: number;
}

export interface Means {
  /** Mean of |Ĉ − C|. */
  readonly error: number;
  readonly sigma: number;
  /** The largest bound over the root mean square of C, of the worst product. */
  readonly bound: number;
}

/** Returns the mean errors of products, and the predictions of the readers. */
export function meansOf({ algorithm, precision, n, levels, seed, times }: Product): Means {
  const shape = { m: n, k: n, n };
  const plan = compile({ algorithm: findAlgorithm(algorithm), shape, depth: { levels } });
  const found = Array.from({ length: times }, (_, at) => {
    const { a, b } = uniform.generate({ ...shape, seed: seed + at, precision: precisions.find(precision) });
    const { model, sigma, bound } = analyze(plan, a, b, {
      precision: precisions.find(precision),
      arithmetic: emulated,
    });
    const { product, low } = exactProduct(a, b);
    const errors = model.data.map((x, e) => Math.abs(x - product.data[e] - low[e]));
    const rms = Math.sqrt(mean(product.data.map((x) => x * x)));
    return { error: mean(errors), sigma: mean(sigma.data), bound: Math.max(...bound.data) / rms };
  });
  return {
    error: mean(found.map(({ error }) => error)),
    sigma: mean(found.map(({ sigma }) => sigma)),
    bound: Math.max(...found.map(({ bound }) => bound)),
  };
}

function mean(values: RealArray | readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
