import { mapNumbers } from '../base/numbers.ts';
import { absoluteProduct } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, readsAddend } from '../matrix/gemm.ts';
import { readsFactors, type StackedOperands } from '../matrix/members.ts';
import { addProduct } from '../precision/add-product.ts';
import { deviationOf, underflowOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';
import { alphaAt, narrowErrors, type ScalingConvention } from './convention.ts';
import { leafErrors, NOTHING } from './leaf-sums.ts';
import { upToSums } from './result-rounding.ts';
import { additionOf, apartIn } from './summation-stages.ts';

/**
 * Derives the errors of alpha·A·B + beta·C from those of A·B, for any convention of a kernel. With e the
 * bound of A·B, S = |A||B|, u the unit roundoff:
 *
 *     alpha last    |alpha|·e + u·|alpha|·(S + e)              each sum is rounded once more
 *     alpha first   |alpha|·(1 + u)·e + u·|alpha|·S            each entry of A (or B) is rounded once more
 *     beta last     u·|beta·C| + u·|D|                         one product and one sum
 *     beta first    u·|beta·C| + (λ + t·u)·|beta·C| + u·|alpha|·S   beta·C is part of every partial sum
 *
 * with λ the largest loss of a sum of k terms ({@link leafErrors}; k·u without a claim), t the additions that the levels of a fast
 * algorithm make besides those of k. The bound is the sum of the worst of each, raised by the second-order terms. Expected errors of terms
 * that are small beside beta·C are not random: of size r, where a sum keeps g of itself, they lose up to min(1, (g/r)²) of their total, in
 * the same direction (stagnation). For terms that are uniform on [0, t], the loss is total below half a unit in the last place, 2g, and
 * g²/(3r²) beyond. Where entries times alpha are rounded to the format of operands, or sums are rounded before alpha and beta apply, each
 * such rounding adds its own relative error of the rounded value. Expected errors add up as variances: alpha first adds u²·Σ(a·b)². Where
 * entries times alpha underflow, each term may lose as much. With imaginary parts of alpha or beta, errors of entries are the sums over
 * both parts, each times the magnitude of its factor. A complex product is two products and a sum, and up to three sums make an entry of
 * four.
 */
export function conventionErrors(
  gemm: Pick<Gemm, 'k' | 'alpha' | 'beta' | 'imaginary'>,
  computation: Computation,
  levels: number,
  convention: ScalingConvention = {},
): ConventionErrors {
  const { imaginary } = gemm;
  const hasAddend = readsAddend(gemm);
  const k = readsFactors(gemm) ? gemm.k : 0;
  const [u, deviation] = [unitRoundoffOf(computation), deviationOf(computation)];
  const underflow = underflowOf(computation);
  // Entries are already multiplied by both parts of a factor.
  const [alpha, beta] = imaginary === undefined ? [gemm.alpha, gemm.beta] : [1, hasAddend ? 1 : 0];
  const more = imaginary === undefined ? 0 : 1;
  const [byAlpha, byBeta] = [k === 0 ? 0 : Math.abs(alpha), Math.abs(beta)];
  const leaf = leafErrors(computation, k + 1);
  const isLast = convention.beta !== undefined && convention.beta !== 'first';
  const beside = (isLast ? 2 : 3 + 16 * levels) + 2 * more;
  const within = isLast ? NOTHING : leaf;
  const sums = (isLast ? 0 : 1) + 2 + 3 * more;
  const raise =
    1 + Math.min(1, (2 * (leaf.loss + (16 * levels + 8 + 8 * more) * u)) / Math.max(0.5, 1 - leaf.loss));
  const losses = isLast || !hasAddend ? [] : lossesBeside(computation, k);
  const isAsIs = imaginary === undefined && byAlpha === 1;
  const scaledFirst = alphaAt(convention) !== 'last' && !isAsIs && k > 0;
  const narrow = narrowErrors(gemm, computation, convention);
  const own =
    (1 + more) *
      ((hasAddend ? 4 : 2) * (underflow.product + underflow.sum) + (1 + more) * byBeta * underflow.operand) +
    leaf.absolute +
    (narrow?.lost ?? 0);
  const most = within.terms + within.mean + within.result + 4 * within.largest + within.signs * (k + 1) ** 2;
  return {
    ...{
      scaledFirst,
      readsSquares: scaledFirst || losses.some(({ kept }) => kept > 0),
      smallest: scaledFirst ? (1 + more) * underflow.product + (narrow?.smallest ?? 0) : 0,
    },
    bound({ bound, size, product = 0, added, lost }, entries = 1) {
      const c = byBeta * added;
      const scaled = isAsIs && !hasAddend ? bound : byAlpha * (bound + sums * u * (size + bound));
      const ofAddend = !hasAddend ? 0 : (within.loss + beside * u) * c;
      const narrowed = narrow?.bound(size + bound, product + 2 * bound, c) ?? 0;
      return (scaled + ofAddend + narrowed) * raise + lost + own * entries;
    },
    sigma({ sigma, squares, product, value, added, lost }, entries = 1) {
      const c = byBeta * added;
      const variance =
        byAlpha ** 2 *
          (sigma ** 2 +
            (scaledFirst ? (2 + 4 * more) * deviation ** 2 * squares : 0) +
            (1 + 4 * more) * (deviation * product) ** 2) +
        (!hasAddend ? 0 : ((beside + 1) * deviation ** 2 + most) * c ** 2 + (deviation * value) ** 2);
      const narrowed = narrow?.variance(squares, product, c) ?? 0;
      const partOf = ({ kept, terms }: LossBeside) => ((kept * c) ** 2 * terms) / (byAlpha ** 2 * squares);
      const part = Math.min(1, Math.max(0, ...losses.map(partOf)));
      const stagnant = (byAlpha * product * part) ** 2;
      // It is negligible for most data beside the errors of random additions.
      const lostTogether = stagnant > (most * c ** 2) / 256 ? stagnant : 0;
      return Math.sqrt(variance + narrowed + lostTogether) + lost + own * Math.sqrt(entries);
    },
  };
}

/** The loss of a sum in one addition, and the number of terms that are added so. */
interface LossBeside {
  readonly kept: number;
  readonly terms: number;
}

/** Returns the losses of products, and of the sums of parts, that are added to another number. */
function lossesBeside(computation: Computation, k: number): LossBeside[] {
  const { sums, arithmetic } = computation;
  const { added } = sums?.partial ?? {};
  const products = { kept: largestLoss(computation), terms: k };
  if (sums === undefined || added === undefined || k === 0) return [products];
  const { count } = apartIn(k, sums, {});
  return [products, { kept: additionOf(arithmetic, added).deviation, terms: count }];
}

/** Returns the loss of a sum in one addition, unless it is random or compensated. */
const largestLoss = ({ precision: { accumulated }, arithmetic: { rounding }, sums }: Computation): number =>
  Math.max(
    ...(sums?.running ?? [{ rounding }]).map((running) =>
      running.compensated !== undefined || running.rounding === 'stochastic'
        ? 0
        : additionOf(running, accumulated).deviation,
    ),
  );

/** The largest error and the size of an entry of A·B. For several entries, these are sums: the bound is linear in them. */
interface Sized {
  readonly bound: number;
  readonly size: number;
  /**
   * The magnitude of its value; for several entries, no less than that of the sum. @defaultValue 0: only roundings to narrower results need
   * it
   */
  readonly product?: number;
  /** The magnitude of beta·C before the product. */
  readonly added: number;
  /** The loss where entries times alpha underflow. */
  readonly lost: number;
}

/** The expected error of an entry of A·B, and its inputs. For several entries, these are roots of sums of squares. */
interface Expected {
  readonly sigma: number;
  /** Σ a²b², if needed. It is a square already. */
  readonly squares: number;
  readonly product: number;
  readonly value: number;
  readonly added: number;
  readonly lost: number;
}

/**
 * Returns the largest factor by which alpha scales entries of A or B before they are multiplied, and sums. Where entries are scaled first,
 * their sums are scaled as well.
 */
export function largestScale(
  { alpha, imaginary }: Pick<Gemm, 'alpha' | 'imaginary'>,
  convention: ScalingConvention = {},
): { readonly entries: number; readonly sums: number } {
  const size = Math.abs(alpha) + Math.abs(imaginary?.alpha ?? 0);
  const at = alphaAt(convention);
  return {
    entries: at === 'last' ? 1 : Math.max(1, size),
    sums: at === 'first' ? size : Math.max(1, size),
  };
}

/** Errors of entries of alpha·A·B + beta·C from those of A·B. */
export interface ConventionErrors {
  /** True if entries of A or B may be multiplied by alpha. */
  readonly scaledFirst: boolean;
  /** True if expected errors depend on the squares of terms. */
  readonly readsSquares: boolean;
  /** The largest loss of such an entry. */
  readonly smallest: number;
  bound(of: Sized, entries?: number): number;
  sigma(of: Expected, entries?: number): number;
}

/**
 * Applies these errors to every entry of one product.
 * @param analysis of A·B alone
 */
export function inAnyConvention(
  analysis: Analysis,
  { a, b, c: before }: StackedOperands,
  gemm: Gemm,
  computation: Computation,
  levels: number,
  convention: ScalingConvention = {},
): Analysis {
  const { m, n, alpha, beta } = gemm;
  const k = readsFactors(gemm) ? gemm.k : 0;
  const { round } = upToSums(computation).precision.d;
  const errors = conventionErrors(gemm, computation, levels, convention);
  const lostAt = errors.scaledFirst ? boundUnderflowLoss(a, b, errors.smallest) : () => 0;
  const model = { rows: m, cols: n, data: analysis.model.data.slice() };
  const [bounds, sigmas] = [new Float64Array(m * n), new Float64Array(m * n)];
  const sizes = k === 0 ? undefined : absoluteProduct(a, b);
  const squared = errors.readsSquares ? squareProduct(a, b) : undefined;
  for (let i = 0, e = 0; i < m; i++) {
    for (let j = 0; j < n; j++, e++) {
      const held = beta === 0 ? 0 : (before as Matrix).data[e];
      const product = k === 0 ? 0 : analysis.model.data[e];
      const value = (k === 0 ? 0 : alpha * product) + (beta === 0 ? 0 : beta * held);
      const [bound, sigma] = k === 0 ? [0, 0] : [analysis.bound.data[e], analysis.sigma.data[e]];
      const [added, lost] = [Math.abs(held), lostAt(i, j)];
      model.data[e] = round(value);
      bounds[e] = errors.bound({ bound, size: sizes?.[e] ?? 0, product: Math.abs(product), added, lost });
      sigmas[e] = errors.sigma({ sigma, squares: squared?.[e] ?? 0, product, value, added, lost });
    }
  }
  const as = (data: Float64Array) => ({ rows: m, cols: n, data });
  const { sums } = largestScale(gemm, convention);
  const held = (e: number) => (beta === 0 ? 0 : Math.abs(beta * (before as Matrix).data[e]));
  const reach =
    analysis.reach && as(analysis.reach.data.map((size, e) => (k === 0 ? 0 : sums * size) + held(e)));
  return { model, bound: as(bounds), sigma: as(sigmas), reach };
}

/** Returns Σ a²b² of each entry. */
export function squareProduct(a: Matrix, b: Matrix): Float64Array {
  const out = new Float64Array(a.rows * b.cols);
  const squares = ({ data }: Matrix) => mapNumbers(data, (x) => x * x);
  addProduct(squares(a), squares(b), { m: a.rows, k: a.cols, n: b.cols }, out);
  return out;
}

/** Returns the loss where each entry of A, or of B, times alpha underflows: a smallest number times the other factor, k times. */
export function boundUnderflowLoss(a: Matrix, b: Matrix, smallest: number): (i: number, j: number) => number {
  const rows = new Float64Array(a.rows);
  const cols = new Float64Array(b.cols);
  a.data.forEach((x, at) => {
    rows[Math.floor(at / a.cols)] += Math.abs(x);
  });
  b.data.forEach((x, at) => {
    cols[at % b.cols] += Math.abs(x);
  });
  return (i, j) => smallest * Math.max(rows[i], cols[j]);
}
