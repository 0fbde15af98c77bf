import type { Algorithm } from '../algorithms/algorithm.ts';
import { isOfComplex } from '../algorithms/algorithms.ts';
import { type Direction, reversed, type Table, transposed, turned } from '../algorithms/symmetries.ts';
import { mapNumbers } from '../base/numbers.ts';
import { largestOf } from '../exact/sizes.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan, Style } from '../plan/plan.ts';
import { deviationOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Analysis, analyse } from './analysis.ts';
import { anyBound, anySigma, orderOf } from './any-schedule.ts';
import { type ClaimedFringe, padded } from './partition.ts';
import { analyseThreeProducts } from './three-products.ts';

/** How a fast algorithm recurses, of which its bound entry by entry depends. */
export interface Recursion {
  readonly fringe: ClaimedFringe;
  /** In which order sums are added; left out, in any. */
  readonly schedule?: Style | undefined;
  /** Dimensions whose blocks are counted from the last: whose halves are swapped. */
  readonly reversed?: readonly Direction[] | undefined;
  /** Whether Cᵀ = BᵀAᵀ is what it computes by its table. */
  readonly transposed?: boolean | undefined;
  /** How often the trilinear form of its table is turned: 0, 1 or 2 times. */
  readonly turned?: number | undefined;
}

/** The algorithm that a claim names, as its recursion reads its table. */
export function orientedTable(algorithm: Algorithm, recursion: Recursion): Algorithm {
  const { turned: turns = 0, reversed: which = [] } = recursion;
  if (turns === 0 && which.length === 0 && recursion.transposed !== true) return algorithm;
  let table: Table = algorithm;
  for (let turn = 0; turn < turns; turn++) table = turned(table);
  if (recursion.transposed === true) table = transposed(table);
  const { name, title, what, source } = algorithm;
  return { name, title, what, source, ...reversed(table, which) };
}

/**
 * What a plan of a kernel that is not ours lets one expect of A·B. Of a classical product, and where fringe and schedule are
 * claimed, the errors of the plan; where the fringe alone is, those, and what another order of sums may add; where nothing is,
 * the same for every entry: the most that any partition and orientation makes ({@link anyBound}).
 */
export function analyseRecursion(
  plan: Plan,
  recursion: Recursion | undefined,
  a: Matrix,
  b: Matrix,
  computation: Computation,
): Analysis {
  const { levels, algorithm } = plan;
  if (levels === 0 || algorithm.u.length === algorithm.base.m * algorithm.base.k * algorithm.base.n)
    return analyse(plan, a, b, computation);
  if (isOfComplex(algorithm)) return analyseThreeProducts(plan, a, b, computation);
  if (recursion === undefined) {
    const of = { table: algorithm, levels, a, b, computation };
    const { mirror } = analyse(plan, a, b, computation);
    const largest = largestOf(mapNumbers(mirror.data, Math.abs));
    const { m, n } = plan.shape;
    const all = (value: number) => matrix(m, n, new Float64Array(m * n).fill(value));
    return {
      mirror,
      bound: all(anyBound(of)),
      sigma: all(anySigma(of, largest)),
    };
  }
  const table = orientedTable(algorithm, recursion);
  const analysis = partitioned(table, levels, recursion, a, b, computation);
  if (recursion.schedule !== undefined) return analysis;
  const order = orderOf({ table, levels, a, b, computation });
  return {
    ...analysis,
    bound: each(analysis.bound, (e) => e + order.bound),
    sigma: each(analysis.sigma, (s) => Math.hypot(s, order.sigma)),
  };
}

/** The errors of a table's plan on the blocks that are claimed. */
function partitioned(
  algorithm: Algorithm,
  levels: number,
  { fringe, schedule: style }: Recursion,
  a: Matrix,
  b: Matrix,
  computation: Computation,
): Analysis {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const planFor = (sizes: typeof shape, by: 'pad' | 'peel') =>
    compile({ algorithm, shape: sizes, depth: { levels }, fringe: by, ...(style && { style }) });
  if (fringe === 'dynamic-peel') return analyse(planFor(shape, 'peel'), a, b, computation);
  const zeros = padded(fringe, algorithm.base, levels, shape);
  if (zeros === undefined) return peeledOnce(planFor, algorithm, levels, a, b, computation);
  const whole = analyse(planFor(zeros.shape, 'pad'), zeros.a(a), zeros.b(b), computation);
  return {
    mirror: zeros.taken(whole.mirror),
    bound: zeros.taken(whole.bound),
    sigma: zeros.taken(whole.sigma),
  };
}

/** Rows and columns beyond a multiple of all blocks are multiplied classically; so are columns of A, whose product is added. */
function peeledOnce(
  planFor: (shape: { m: number; k: number; n: number }, by: 'pad') => Plan,
  algorithm: Algorithm,
  levels: number,
  a: Matrix,
  b: Matrix,
  computation: Computation,
): Analysis {
  const down = (size: number, parts: number) => size - (size % parts ** levels);
  const { base } = algorithm;
  const core = { m: down(a.rows, base.m), k: down(a.cols, base.k), n: down(b.cols, base.n) };
  const classically = (x: Matrix, y: Matrix) => {
    const shape = { m: x.rows, k: x.cols, n: y.cols };
    return analyse(compile({ algorithm, shape }), x, y, computation);
  };
  const all = classically(a, b);
  if (core.m * core.k * core.n === 0) return all;
  const fast = analyse(
    planFor(core, 'pad'),
    part(a, 0, core.m, 0, core.k),
    part(b, 0, core.k, 0, core.n),
    computation,
  );
  const rest =
    core.k === a.cols
      ? undefined
      : classically(part(a, 0, core.m, core.k, a.cols), part(b, core.k, a.cols, 0, core.n));
  const [u, deviation] = [unitRoundoffOf(computation), deviationOf(computation)];
  const { round } = computation.precision.accumulated;
  const joined = {
    mirror: each(all.mirror, (x) => x),
    bound: each(all.bound, (x) => x),
    sigma: each(all.sigma, (x) => x),
  };
  for (let i = 0; i < core.m; i++) {
    for (let j = 0; j < core.n; j++) {
      const [at, e] = [i * b.cols + j, i * core.n + j];
      const [more, bound, sigma] =
        rest === undefined ? [0, 0, 0] : [rest.mirror.data[e], rest.bound.data[e], rest.sigma.data[e]];
      const value = round(fast.mirror.data[e] + more);
      const before = fast.bound.data[e] + bound;
      const rounding = rest === undefined ? 0 : u * (Math.abs(value) + 2 * before) * (1 + 8 * u);
      joined.mirror.data[at] = value;
      joined.bound.data[at] = (before + rounding) * (1 + 2 ** -50);
      joined.sigma.data[at] = Math.hypot(
        fast.sigma.data[e],
        sigma,
        rest === undefined ? 0 : deviation * value,
      );
    }
  }
  return joined;
}

const each = <M extends Matrix>(x: M, of: (entry: number) => number): M => ({ ...x, data: x.data.map(of) });

/** Rows and columns of a matrix, copied. */
function part(x: Matrix, top: number, bottom: number, left: number, right: number): Matrix {
  const data = x.data.slice(0, (bottom - top) * (right - left));
  for (let i = top; i < bottom; i++)
    data.set(x.data.subarray(i * x.cols + left, i * x.cols + right), (i - top) * (right - left));
  return matrix(bottom - top, right - left, data);
}
