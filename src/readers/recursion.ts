import type { Algorithm } from '../algorithms/algorithm.ts';
import { isOfComplex } from '../algorithms/algorithms.ts';
import {
  type BilinearTable,
  type Direction,
  reverseBlocks,
  rotateTable,
  transposeTable,
} from '../algorithms/bilinear-table.ts';
import { sumsInnerProducts } from '../algorithms/growth.ts';
import { mapNumbers } from '../base/numbers.ts';
import { absoluteProduct, largestOf } from '../exact/sizes.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan, Style } from '../plan/plan.ts';
import { deviationOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Analysis, analyze } from './analysis.ts';
import { type AdditionalTerms, analyzeOrders } from './any-order.ts';
import {
  anyBound,
  anyReach,
  anySigma,
  limitsOf,
  type OverflowLimits,
  orderSigma,
  type RecursiveProduct,
  roundingDepthOf,
} from './any-schedule.ts';
import { leafErrors } from './leaf-sums.ts';
import { type ClaimedFringe, padAsClaimed, padToBlocks, type ZeroPadding } from './partition.ts';
import { analyzeThreeProducts } from './three-products.ts';

/** The recursion of a fast algorithm, on which its bound entry by entry depends. */
export interface Recursion {
  readonly fringe: ClaimedFringe;
  /** The order of sums. @defaultValue any order */
  readonly schedule?: Style | undefined;
  /** Dimensions whose blocks are counted from the last, so that their halves are swapped. */
  readonly reversed?: readonly Direction[] | undefined;
  /** True if it computes Cᵀ = BᵀAᵀ by its table. */
  readonly transposed?: boolean | undefined;
  /** Number of turns of the trilinear form of its table: 0, 1 or 2. */
  readonly turned?: number | undefined;
}

/** Returns the claimed algorithm with its table as the recursion reads it. */
export function orientedTable(algorithm: Algorithm, recursion: Recursion): Algorithm {
  const { turned: turns = 0, reversed: which = [] } = recursion;
  if (turns === 0 && which.length === 0 && recursion.transposed !== true) return algorithm;
  let table: BilinearTable = algorithm;
  for (let turn = 0; turn < turns; turn++) table = rotateTable(table);
  if (recursion.transposed === true) table = transposeTable(table);
  const { name, title, what, source } = algorithm;
  return { name, title, what, source, ...reverseBlocks(table, which) };
}

/**
 * Analyzes A·B of an external kernel by a plan. For a classical product, and where fringe and schedule are claimed, the errors are those of
 * the plan. Where only the fringe is claimed, they are those of its sums in any order ({@link AnyOrderBound}). Without a claim, every entry has
 * the same errors: the largest of any partition and orientation ({@link anyBound}). Overflow of intermediate values is that of any order of
 * sums, since a schedule does not decide the sums of leaf products.
 * @param scale largest factor by which alpha multiplies intermediate values.
 */
export function analyzeRecursion(
  plan: Plan,
  recursion: Recursion | undefined,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  scale = 1,
): Analysis {
  const { levels, algorithm } = plan;
  const limits = limitsOf(computation, scale);
  if (levels === 0) return analyze(plan, a, b, computation);
  if (sumsInnerProducts(algorithm))
    return { ...analyze(plan, a, b, computation), reach: classicalReach(a, b, computation) };
  if (isOfComplex(algorithm)) return analyzeThreeProducts(plan, a, b, computation, limits);
  if (recursion === undefined) {
    const of = { table: algorithm, levels, a, b, computation };
    const { model } = analyze(plan, a, b, computation);
    const largest = largestOf(mapNumbers(model.data, Math.abs));
    const { m, n } = plan.shape;
    const all = (value: number) => matrix(m, n, new Float64Array(m * n).fill(value));
    return {
      model,
      bound: all(anyBound(of)),
      sigma: all(anySigma(of, largest)),
      reach: all(anyReach(of, limits)),
    };
  }
  const table = orientedTable(algorithm, recursion);
  const of = { table, levels, a, b, computation };
  const grown = (1 + unitRoundoffOf(computation)) ** roundingDepthOf(table, levels).d;
  return partitioned(table, recursion, of, limitsOf(computation, scale * grown));
}

/**
 * Returns the errors of a table's plan on the claimed blocks. Where rows and columns are peeled off and a side is smaller than all blocks,
 * it may be padded or multiplied classically: without a schedule the larger errors of both count.
 * @param limits upper limits of intermediate values.
 */
function partitioned(
  algorithm: Algorithm,
  recursion: Recursion,
  of: RecursiveProduct,
  limits: OverflowLimits,
): Analysis {
  const { fringe, schedule } = recursion;
  const { levels, a, b } = of;
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const zeros = padAsClaimed(fringe, algorithm.base, levels, shape);
  const read = (x: Matrix, y: Matrix) => readBlocks(algorithm, recursion, { ...of, a: x, b: y }, limits);
  const readWith = ({ taken, ...added }: ZeroPadding): Analysis => {
    const { model, bound, sigma, reach } = read(added.a(a), added.b(b));
    return { model: taken(model), bound: taken(bound), sigma: taken(sigma), reach: reach && taken(reach) };
  };
  if (zeros !== undefined) return readWith(zeros);
  const larger = schedule === undefined ? padToBlocks(algorithm.base, levels, shape) : undefined;
  return larger === undefined ? read(a, b) : widest(read(a, b), readWith(larger));
}

/** Returns the larger errors of two analyses. */
function widest(one: Analysis, other: Analysis): Analysis {
  const larger = (x: Matrix<Float64Array>, y: Matrix<Float64Array>) => ({
    ...x,
    data: x.data.map((value, e) => Math.max(value, y.data[e])),
  });
  return {
    model: one.model,
    bound: larger(one.bound, other.bound),
    sigma: larger(one.sigma, other.sigma),
    reach: one.reach && other.reach && larger(one.reach, other.reach),
  };
}

/** Returns the errors of a product whose sides are multiples of all blocks, or whose remainder is peeled off. */
function readBlocks(
  algorithm: Algorithm,
  { fringe, schedule: style }: Recursion,
  of: RecursiveProduct,
  limits: OverflowLimits,
): Analysis {
  const { levels, a, b, computation } = of;
  const order = style === undefined ? orderSigma(of) : undefined;
  const planFor = (shape: Shape, by: 'pad' | 'peel') =>
    compile({ algorithm, shape, depth: { levels }, fringe: by, ...(style && { style }) });
  const read = (plan: Plan, x: Matrix, y: Matrix, beside?: AdditionalTerms) =>
    analyzeOrders(plan, x, y, computation, { limits, orderSigma: order, beside });
  if (fringe === 'static-peel')
    return peeledOnce({ ...of, table: algorithm, isOrdered: style !== undefined, planFor, read });
  const by = fringe === 'dynamic-peel' ? 'peel' : 'pad';
  return read(planFor({ m: a.rows, k: a.cols, n: b.cols }, by), a, b);
}

/** Options of {@link peeledOnce}. */
interface Peeled extends RecursiveProduct {
  readonly table: Algorithm;
  readonly isOrdered: boolean;
  planFor(shape: Shape, by: 'pad'): Plan;
  read(plan: Plan, a: Matrix, b: Matrix, beside?: AdditionalTerms): Analysis;
}

/**
 * Analyzes a product whose rows and columns beyond a multiple of all blocks are multiplied classically. The product of such columns of A is
 * added.
 */
function peeledOnce({ table, levels, a, b, computation, isOrdered, planFor, read }: Peeled): Analysis {
  const down = (size: number, parts: number) => size - (size % parts ** levels);
  const { base } = table;
  const core = { m: down(a.rows, base.m), k: down(a.cols, base.k), n: down(b.cols, base.n) };
  const classically = (x: Matrix, y: Matrix) => {
    const shape = { m: x.rows, k: x.cols, n: y.cols };
    const found = analyze(compile({ algorithm: table, shape }), x, y, computation);
    return { ...found, reach: classicalReach(x, y, computation) };
  };
  const all = classically(a, b);
  if (core.m * core.k * core.n === 0) return all;
  const rest =
    core.k === a.cols
      ? undefined
      : classically(part(a, 0, core.m, core.k, a.cols), part(b, core.k, a.cols, 0, core.n));
  const fast = read(
    planFor(core, 'pad'),
    part(a, 0, core.m, 0, core.k),
    part(b, 0, core.k, 0, core.n),
    rest && { terms: a.cols - core.k, size: rest.reach.data, error: rest.bound.data },
  );
  const [u, deviation] = [unitRoundoffOf(computation), deviationOf(computation)];
  const { round } = computation.precision.accumulated;
  const joined = {
    model: each(all.model, (x) => x),
    bound: each(all.bound, (x) => x),
    sigma: each(all.sigma, (x) => x),
    reach: each(all.reach, (x) => x),
  };
  for (let i = 0; i < core.m; i++) {
    for (let j = 0; j < core.n; j++) {
      const [at, e] = [i * b.cols + j, i * core.n + j];
      const [more, bound, sigma] =
        rest === undefined ? [0, 0, 0] : [rest.model.data[e], rest.bound.data[e], rest.sigma.data[e]];
      const value = round(fast.model.data[e] + more);
      const before = fast.bound.data[e] + bound;
      const rounding = rest === undefined ? 0 : u * (Math.abs(value) + 2 * before) * (1 + 8 * u);
      joined.model.data[at] = value;
      joined.bound.data[at] = isOrdered ? (before + rounding) * (1 + 2 ** -50) : fast.bound.data[e];
      joined.sigma.data[at] = Math.hypot(
        fast.sigma.data[e],
        sigma,
        rest === undefined ? 0 : deviation * value,
      );
      joined.reach.data[at] = fast.reach?.data[e] ?? Number.POSITIVE_INFINITY;
    }
  }
  return joined;
}

/** Returns the upper limit of partial sums of a classical product, in any order. */
function classicalReach(a: Matrix, b: Matrix, computation: Computation): Matrix<Float64Array> {
  const grown = 1 + leafErrors(computation, a.cols).loss;
  return matrix(
    a.rows,
    b.cols,
    absoluteProduct(a, b).map((size) => size * grown),
  );
}

const each = <M extends Matrix>(x: M, of: (entry: number) => number): M => ({ ...x, data: x.data.map(of) });

/** Copies rows and columns of a matrix. */
function part(x: Matrix, top: number, bottom: number, left: number, right: number): Matrix {
  const data = x.data.slice(0, (bottom - top) * (right - left));
  for (let i = top; i < bottom; i++)
    data.set(x.data.subarray(i * x.cols + left, i * x.cols + right), (i - top) * (right - left));
  return matrix(bottom - top, right - left, data);
}
