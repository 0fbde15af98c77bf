import { type BilinearTable, orientations } from '../algorithms/bilinear-table.ts';
import { largestOf } from '../exact/sizes.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { deviationOf, operandErrorOf, underflowOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { leafErrors } from './leaf-sums.ts';
import { growthOf, largestFraction, meanSquareOf, partialSquare, roundingsOf } from './table-growth.ts';

/** Largest and expected error of any entry of C. */
export interface EntryErrors {
  readonly bound: number;
  readonly sigma: number;
}

/** A product by levels of a table. */
export interface RecursiveProduct {
  readonly table: BilinearTable;
  readonly levels: number;
  readonly a: Matrix;
  readonly b: Matrix;
  readonly computation: Computation;
}

/**
 * Bounds the error of any entry of a product by several levels of a table with unknown blocks. It is unknown which rows and
 * columns are in which block (halves may be swapped or interleaved, zeros added to any size, rows and columns peeled off),
 * which orientation the table has (of the six readings of its trilinear form those of its base), in which order sums
 * are added, and whether levels are written out as one. The bound is normwise, since any two rows may meet in a sum.
 *
 * Let α_p = max_i |a_ip|, β_p = max_j |b_pj|, D = Σ_p α_p β_p, and X the sum of the ⌊k/2⌋ largest α times the ⌊k/2⌋ largest β, in
 * that order (rearrangement inequality: no matching of distinct inner indices is more). By {@link growthOf} the absolute values of all
 * terms of an entry of C sum to at most G·D + (F − S)·X. Each term passes at most d roundings in factors and sums of
 * products, L more where products of peeled columns are added, and those of a leaf product of at most k terms, so that
 *
 *     |Ĉ − C| ≤ (G·D + (F − S)·X)·((1 + u)^(d + L)·(1 + γ_k)·(1 + u_in)² − 1)   (Higham, ASNA, Lemmas 3.1 and 3.3)
 *
 * with the loss of claimed sums ({@link leafErrors}) in place of γ_k, (1/3 is two roundings, its own and that of the product) plus the
 * possible underflow of each operation. No partial value exceeds the sum of all absolute values, (1 + u)^d aside, so nothing overflows
 * where that stays below the largest number.
 */
export function anyBound({ table, levels, a, b, computation }: RecursiveProduct): number {
  const lines = largestLines(a, b);
  return Math.max(...orientations(table).map((one) => boundOf(one, levels, lines, computation)));
}

function boundOf(table: BilinearTable, levels: number, lines: Lines, computation: Computation): number {
  const u = unitRoundoffOf(computation);
  const { factors, products } = growthOf(table, levels);
  const { d, c } = roundingDepthOf(table, levels);
  const { alpha, beta, k } = lines;
  const mass = massOf(table, levels, lines);
  const operand = operandErrorOf(computation);
  const { loss } = leafErrors(computation, k);
  const grown = Math.log1p(u) * d + Math.log1p(loss) + 2 * Math.log1p(operand?.relative ?? 0);
  const [largestA, largestB] = [factors.a * largestOf(alpha), factors.b * largestOf(beta)];
  const { accumulated, multiplied } = computation.precision;
  const overflows =
    mass * Math.exp(grown) > accumulated.maxFinite || !(Math.max(largestA, largestB) < multiplied.maxFinite);
  if (overflows || !Number.isFinite(loss)) return Number.POSITIVE_INFINITY;
  const { product, sum, operand: flushed } = underflowOf(computation);
  // For p/q, the underflow of x/q is multiplied by p.
  const divided = levels * largestFraction(table).num * (product + flushed);
  const lostOperand = flushed + (operand?.absolute ?? 0) + d * sum + divided * Math.max(factors.a, factors.b);
  const lostSum = c * sum + divided;
  const lost = products * (k * (product + sum + lostOperand * (largestA + largestB + lostOperand)) + lostSum);
  return mass * Math.expm1(grown) * (1 + 2 ** -40) + 2 * lost;
}

/**
 * Computes the expected error of random entries, with the same unknowns, as the sigma reader does. With E the most that squares of products
 * of a row and a column add up to, however they are matched (Cauchy and Schwarz), each rounding adds u² times the mean square of the
 * rounded value: of partial sums of leaf products of κ terms ({@link leafErrors}), of sums of A's and B's blocks, and of partial sums of
 * C's. Where entries of C are larger than for centered data, so are partial sums. It is assumed that inner blocks are not much longer than
 * others, unlike in {@link anyBound}: see {@link shareOf}.
 * @param largest the largest entry of C.
 */
export function anySigma(of: RecursiveProduct, largest: number): number {
  const energy = energyOf(of);
  return Math.sqrt(
    Math.max(...orientations(of.table).map((table) => varianceOf({ ...of, table }, energy, largest))),
  );
}

/** Largest ratio of squared entries to their mean square for centered data. */
const CENTRED = 16;

function varianceOf(of: RecursiveProduct, energy: number, largest: number): number {
  const { table, levels, a, computation } = of;
  const share = shareOf(of, levels);
  const { same, cross, all } = growthOf(table, levels, 2);
  const mass = Math.min(same + cross, share * all) * energy;
  const level = roundingsOf(table, 1);
  const terms = Math.ceil(share * a.cols);
  const leaf = leafErrors(computation, terms);
  // For data that are not centered, sums of blocks are as large as their coefficients allow.
  const sizes = growthOf(table, levels);
  const drift = Math.max(0, largest ** 2 - CENTRED * energy);
  const oneSigned = { a: isOneSigned(of.a), b: isOneSigned(of.b) };
  const surplus = meanSquareOf(table, levels, oneSigned) * share ** 2 * drift;
  const unequal = leaf.signs * (CENTRED * terms * mass + terms ** 2 * surplus) * leaf.share;
  const sums = leaf.terms * mass + (leaf.mean + leaf.result) * surplus + leaf.result * mass + unequal;
  const largestSum = leaf.largest * sizes.all ** 2 * terms * energy;
  const blocks = deviationOf(computation) ** 2 * levels * ((level.a + level.b) * (mass + surplus) + energy);
  const operand = operandErrorOf(computation);
  // Products of truncated operands lose the same part of themselves, and so do entries of C.
  const operands = 2 * (operand?.relative ?? 0) ** 2 * mass + (2 * (operand?.drift ?? 0)) ** 2 * drift;
  const { product, sum } = underflowOf(computation);
  const lost = a.cols * (product + sum);
  const alike = coefficientsOf(of) * (mass + surplus);
  return sums + largestSum + blocks + sumsOf(of, energy + drift) + operands + alike + lost ** 2;
}

/**
 * Returns the squared error from rounded coefficients such as 1/3. Each block errs alike in all entries and products, several of which meet
 * in a block of C (Cauchy and Schwarz).
 */
function coefficientsOf({ table, levels, computation }: RecursiveProduct): number {
  const { num } = largestFraction(table);
  if (num === 0) return 0;
  const { c } = roundingsOf(table, levels);
  return (3 * levels * unitRoundoffOf(computation)) ** 2 * (c + 1);
}

const isOneSigned = ({ data }: Matrix): boolean => !(data.some((x) => x > 0) && data.some((x) => x < 0));

/** Returns the variance from roundings of sums of products: at each level the largest mean square of a partial sum in any order. */
function sumsOf(of: RecursiveProduct, energy: number): number {
  const { table, levels, computation } = of;
  const additions = roundingsOf(table, 1).c;
  const partial = partialSquare(table);
  let total = 0;
  for (let level = 1; level <= levels; level++)
    total += growthOf(table, level - 1, 2).all * shareOf(of, level) * partial * additions;
  return total * energy * deviationOf(computation) ** 2;
}

/** Size to which a leaf block may be padded, however small a product is. */
const TILE = 64;

/**
 * Returns the largest share of the columns of A in one inner block of the given levels. Sizes are padded to a multiple of the blocks, of
 * tiles, or to a power.
 */
function shareOf({ table, a }: RecursiveProduct, levels: number): number {
  const { k } = table.base;
  const size = Math.max(1, a.cols);
  const power = k === 1 ? 1 : k ** Math.max(0, Math.ceil(Math.log(size) / Math.log(k) - 1e-9));
  return Math.min(size, Math.max(Math.ceil(size / k ** levels), power / k ** levels, TILE)) / size;
}

/**
 * Returns √(max_i Σ_p a_ip⁴ · max_j Σ_p b_pj⁴): no row of A and column of B, matched in any way, have a larger sum of squares of products.
 */
function energyOf({ a, b }: RecursiveProduct): number {
  return fourths(a, 'rows') * fourths(b, 'cols');
}

/**
 * Returns the root of the largest sum of fourth powers of a line. The powers are relative to the largest entry, so they neither underflow
 * nor overflow.
 */
function fourths({ rows, cols, data }: Matrix, lines: 'rows' | 'cols'): number {
  let largest = 0;
  for (let e = 0; e < data.length; e++) largest = Math.max(largest, Math.abs(data[e]));
  if (largest === 0) return 0;
  const sums = new Float64Array(lines === 'rows' ? rows : cols);
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, e++) {
      const square = (data[e] / largest) ** 2;
      sums[lines === 'rows' ? i : j] += square * square;
    }
  }
  return Math.sqrt(largestOf(sums)) * largest ** 2;
}

/**
 * Returns the expected error that another order of the sums of blocks than a plan's adds: the part of {@link anySigma} without leaf
 * products.
 */
export function orderSigma(of: RecursiveProduct): number {
  return Math.sqrt(sumsOf(of, energyOf(of)));
}

/** Upper limits of intermediate values without overflow: of factors of leaf products, and of sums. */
export interface OverflowLimits {
  readonly factors: number;
  readonly sums: number;
}

/** Returns the limits of a computation in which alpha may multiply values by `scale`. */
export function limitsOf(computation: Computation, scale = 1): OverflowLimits {
  const { maxFinite } = computation.precision.accumulated;
  const factors = Math.min(maxFinite, operandErrorOf(computation)?.overflows ?? maxFinite);
  return { factors: factors / scale, sums: maxFinite / scale };
}

/**
 * Returns the largest absolute value of an intermediate value of any entry, with the same unknowns as {@link anyBound}. Infinite where a
 * factor may reach its limit.
 */
export function anyReach(
  { table, levels, a, b, computation }: RecursiveProduct,
  limits: OverflowLimits,
): number {
  const lines = largestLines(a, b);
  const u = unitRoundoffOf(computation);
  const loss = Math.log1p(leafErrors(computation, a.cols).loss);
  const reaches = orientations(table).map((one) => {
    const { factors } = growthOf(one, levels);
    const { d } = roundingDepthOf(one, levels);
    // Before the division by q, x·p is an intermediate value.
    const between = Math.max(1, largestFraction(one).den);
    const largest = between * Math.max(factors.a * largestOf(lines.alpha), factors.b * largestOf(lines.beta));
    const isWide = !(largest * (1 + u) ** d < limits.factors);
    return isWide
      ? Number.POSITIVE_INFINITY
      : between * massOf(one, levels, lines) * Math.exp(d * Math.log1p(u) + loss);
  });
  return Math.max(...reaches);
}

/** Returns the largest sum of the absolute values of all terms of any entry of C. */
function massOf(table: BilinearTable, levels: number, { alpha, beta, k }: Lines): number {
  const { same, cross } = growthOf(table, levels);
  const paired = same * dot(alpha, beta) + cross * pairedLargest(alpha, beta);
  return paired * (1 + (k + 8) * 2 ** -52);
}

/** Returns the number of roundings of sums of blocks, and of those of products alone. */
export function roundingDepthOf(table: BilinearTable, levels: number): { d: number; c: number } {
  const { a, b, c } = roundingsOf(table, levels);
  return { d: a + b + c + levels, c };
}

/** The largest entry of each column of A, and of each row of B. */
interface Lines extends Pick<Shape, 'k'> {
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
}

function largestLines(a: Matrix, b: Matrix): Lines {
  const k = a.cols;
  const [alpha, beta] = [new Float64Array(k), new Float64Array(k)];
  for (let at = 0; at < a.data.length; at += k)
    for (let p = 0; p < k; p++) alpha[p] = larger(alpha[p], a.data[at + p]);
  for (let p = 0, at = 0; p < k; p++)
    for (let j = 0; j < b.cols; j++, at++) beta[p] = larger(beta[p], b.data[at]);
  return { alpha, beta, k };
}

/** Returns the larger magnitude; NaN if either is NaN. */
const larger = (most: number, x: number): number => Math.max(most, Math.abs(x));

const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, each, at) => sum + each * y[at], 0);

function pairedLargest(alpha: Float64Array, beta: Float64Array): number {
  const half = Math.floor(alpha.length / 2);
  const largest = (x: Float64Array) => x.slice().sort().reverse().subarray(0, half);
  return dot(largest(alpha), largest(beta));
}
