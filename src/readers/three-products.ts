import { absoluteProduct } from '../exact/sizes.ts';
import { partsOf } from '../matrix/complex.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import { unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Analysis, analyse } from './analysis.ts';

/**
 * What a complex product in three real ones may err by, whichever: of real and imaginary parts alike the larger of the plan's
 * two, since others form differences such as Br − Bi and add them to the real part, and what another order of its last sums adds,
 * at most 2u of the absolute values of all terms. With Higham 1992, Theorem 2.2, in the notation of its (2.6):
 *
 *     |D̂ − D| ≤ (k + 4)·u·[(|Ar| + |Ai|)(|Br| + |Bi|) + |Ar||Br| + |Ai||Bi|] + O(u²)
 */
export function analyseThreeProducts(plan: Plan, a: Matrix, b: Matrix, computation: Computation): Analysis {
  const analysis = analyse(plan, a, b, computation);
  const sizes = sizesOfTerms(a, b);
  const u = unitRoundoffOf(computation);
  const half = sizes.length;
  const larger = ({ rows, cols, data }: Matrix<Float64Array>, more: (e: number) => number) => {
    const both = new Float64Array(2 * half);
    for (let e = 0; e < half; e++) both[e] = both[e + half] = Math.max(data[e], data[e + half]) + more(e);
    return matrix(rows, cols, both);
  };
  return {
    mirror: analysis.mirror,
    bound: larger(analysis.bound, (e) => 2 * u * sizes[e] * (1 + 2 ** -40)),
    sigma: larger(analysis.sigma, () => 0),
  };
}

/** (|Ar| + |Ai|)(|Br| + |Bi|) + |Ar||Br| + |Ai||Bi|, entry by entry, of the real matrices that stand for A and B. */
function sizesOfTerms(a: Matrix, b: Matrix): Float64Array {
  const shape = { m: a.rows / 2, k: b.rows / 2 };
  const [ar, ai] = partsOf('a', a, shape);
  const [br, bi] = partsOf('b', b, shape);
  const [all, real, imaginary] = [
    absoluteProduct(added(ar, ai), added(br, bi)),
    absoluteProduct(ar, br),
    absoluteProduct(ai, bi),
  ];
  return all.map((x, e) => x + real[e] + imaginary[e]);
}

/** |x| + |y|. */
const added = (x: Matrix, y: Matrix): Matrix => {
  const data = Float64Array.from(x.data, (value, e) => Math.abs(value) + Math.abs(y.data[e]));
  return matrix(x.rows, x.cols, data);
};
