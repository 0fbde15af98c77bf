import { makeNumbers, mapNumbers } from '../base/numbers.ts';
import type { RealArray } from '../matrix/dense.ts';
import { addProduct32 } from '../precision/add-product.ts';
import { upperHalf } from './double-double.ts';
import { addToExpansion } from './expansion.ts';
import type { ExactOperands } from './operands.ts';
import type { ExponentProfile } from './profile.ts';
import type { AnchorWindow, BlockSummer, ResultBlock } from './sums.ts';

/** The terms of magnitudes that are added in binary32 at a time. */
const RUN = 2 ** 8;
/**
 * The factor from a sum of magnitudes in binary32 to more than the exact one. With v = 2^-24, each magnitude, each product and each of a
 * run's {@link RUN} additions takes at most the factor 1 − v: 1 + 2^-15 exceeds (1 − v)^-(RUN + 3), with 2^-20 to spare for the additions
 * of runs in binary64, and for what rounding to the spacing of an anchor adds.
 */
const UP = 1 + 2 ** -15;
/** Twice as much as underflow can take from a term in binary32: magnitudes are below 2. */
const UNDERFLOW = 2 ** -146;
/** Beyond these exponents the factor of a line would overflow. */
const HIGHEST = 1000;

/**
 * Returns a function that writes the anchor of each entry of a block: the power of two P with P/2 ≤ M' < P for an upper bound M' of
 * Σ|a||b|; see {@link sumExactProducts}. It keeps scratch memory, so it serves one caller at a time. Operands that are not finite have
 * meaningless anchors.
 * @param most the rows and columns of the largest block.
 */
export function anchorWriter(
  { shape: { k, n }, a, b, rows, cols }: ExactOperands,
  most: Pick<BlockSummer, 'rows' | 'cols'>,
): (block: ResultBlock, stride: number, anchors: Float64Array) => void {
  const depths = Math.min(RUN, k);
  const x = new Float32Array(most.rows * depths);
  const y = new Float32Array(depths * most.cols);
  const run = new Float32Array(most.rows * most.cols);
  const sums = new Float64Array(most.rows * most.cols);
  const [rowUnits, colUnits] = [unitsOf(rows), unitsOf(cols)];
  const [rowFactors, colFactors] = [rowUnits, colUnits].map((units) => units.map((unit) => 1 / unit));
  return ({ i0, i1, j0, j1 }, stride, anchors) => {
    const [height, width] = [i1 - i0, j1 - j0];
    sums.fill(k * UNDERFLOW);
    for (let from = 0; from < k; from += depths) {
      const depth = Math.min(depths, k - from);
      for (let i = 0; i < height; i++)
        readRow(a, (i0 + i) * k + from, depth, rowFactors[i0 + i], x, i * depth);
      for (let t = 0; t < depth; t++) readColumns(b, (from + t) * n, j0, width, colFactors, y, t * width);
      run.fill(0);
      addProduct32(x, y, { m: height, k: depth, n: width }, run);
      for (let e = 0; e < height * width; e++) sums[e] += run[e];
    }
    for (let i = 0; i < height; i++) {
      const row = rowUnits[i0 + i];
      for (let j = 0; j < width; j++) {
        anchors[i * stride + j] = 2 * leadingPower(sums[i * width + j] * UP) * (row * colUnits[j0 + j]);
      }
    }
  };
}

/** Returns a power of two for each line such that its entries are below twice that. */
function unitsOf({ top, grid }: ExponentProfile): Float64Array {
  return makeNumbers(top.length, (line) =>
    top[line] < grid[line] ? 1 : 2 ** Math.max(-HIGHEST, Math.min(top[line], HIGHEST)),
  );
}

function readRow(a: RealArray, from: number, count: number, factor: number, x: Float32Array, to: number) {
  for (let t = 0; t < count; t++) x[to + t] = Math.abs(a[from + t]) * factor;
}

function readColumns(
  b: RealArray,
  from: number,
  j0: number,
  count: number,
  factors: Float64Array,
  y: Float32Array,
  to: number,
): void {
  for (let j = 0; j < count; j++) y[to + j] = Math.abs(b[from + j0 + j]) * factors[j0 + j];
}

/** Returns the largest power of two that is at most x ≥ 0; 0 for 0 (Rump, Ogita and Oishi, 2008). */
function leadingPower(x: number): number {
  const q = (2 ** 52 + 1) * x;
  return Math.abs(q - (1 - 2 ** -53) * q);
}

/** A reach that exceeds every window. */
const TOO_WIDE = 2 ** 20;
/** Within these exponents no anchor overflows, and no product or part of it underflows. */
const HIGHEST_TOP = 400;
const LOWEST_GRID = -440;

/** Returns the window of operands whose products are exact in a double. */
export function anchorWindow({ shape: { k }, rows, cols }: ExactOperands): AnchorWindow {
  const bits = k <= 1 ? 0 : 32 - Math.clz32(k - 1);
  return {
    rowReach: reaches(rows),
    colReach: reaches(cols),
    widest: 102 - 2 * bits,
    rowAnchor: anchors(rows, 1.5 * 2 ** (4 + bits)),
    colAnchor: anchors(cols, 1),
  };
}

/** Returns the reaches of lines. Lines of zeros count as lines of ones, which fit any window. */
function reaches({ top, grid, finite }: ExponentProfile): Int32Array {
  return top.map((high, line) => {
    if (finite[line] === 0 || high > HIGHEST_TOP) return TOO_WIDE;
    if (high < grid[line]) return 0;
    return grid[line] < LOWEST_GRID ? TOO_WIDE : high - grid[line];
  });
}

function anchors({ top, grid }: ExponentProfile, factor: number): Float64Array {
  return mapNumbers(top, (high, line) => factor * (high < grid[line] ? 1 : 2 ** Math.min(high, HIGHEST_TOP)));
}

/** True if hi + lo from the anchors is exactly the inner product of row i and column j. */
export function fitsAnchors({ rowReach, colReach, widest }: AnchorWindow, i: number, j: number): boolean {
  return rowReach[i] + colReach[j] <= widest;
}

/**
 * The anchors of an inner product of two lines, computed as an expansion of four components, without error and without branches. The
 * exponents of its terms must span a limited window.
 *
 * An accumulator that starts at 1.5·2^E and stays within [2^E, 2^(E+1)) keeps the spacing 2^(E−52). Adding x to it adds x rounded to
 * that spacing, exactly, and the remainder, at most 2^(E−53), is exact as well (the extraction of Rump, Ogita and Oishi, *Accurate
 * floating-point summation*, 2008). Three such anchors in descending order take the remainders of the anchor above. The last remainders
 * add up in an ordinary double, exactly if they stay below 2^53 of the common grid.
 *
 * With M the sum of the magnitudes: 2^(E₁−2) ≥ M; the second anchor gets k remainders of at most 2^(E₁−53) and k product errors that sum
 * up to less than 2^-53·M, so 2^(E₂−2) ≥ (k+1)·2^(E₁−53); the third gets 2k remainders of at most 2^(E₂−53), so 2^(E₃−2) ≥ 2k·2^(E₂−53).
 * The spare quarter covers the roundings to the spacing, 2k·2^(E−53) at most, for k ≤ 2^24.
 */
interface Anchors {
  readonly first: number;
  readonly second: number;
  readonly third: number;
}

/**
 * Returns the anchors for k products whose magnitudes sum up to at most 2^`top` and whose terms are multiples of 2^`grid`. Undefined if
 * the window is too wide for an exact sum.
 */
export function anchorsFor(k: number, top: number, grid: number): Anchors | undefined {
  const bits = 33 - Math.clz32(k);
  const e1 = top + 2;
  const e2 = e1 - 51 + bits;
  const e3 = e2 - 51 + bits;
  if (bits + e3 - 53 > 53 + grid) return undefined;
  return { first: 1.5 * 2 ** e1, second: 1.5 * 2 ** e2, third: 1.5 * 2 ** e3 };
}

/** Returns the expansion of row `ai` of A against column `bi` of B, k entries each; see {@link Anchors}. */
export function anchoredDot(
  a: Float64Array,
  ai: number,
  bt: Float64Array,
  bi: number,
  k: number,
  { first, second, third }: Anchors,
): number[] {
  let s1 = first;
  let s2 = second;
  let s3 = third;
  let rest = 0;
  for (let t = 0; t < k; t++) {
    const x = a[ai + t];
    const y = bt[bi + t];
    const xh = upperHalf(x);
    const xl = x - xh;
    const yh = upperHalf(y);
    const yl = y - yh;
    const p = x * y;
    const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);

    let next = s1 + p;
    let p2 = p - (next - s1);
    s1 = next;
    next = s2 + p2;
    p2 -= next - s2;
    s2 = next;
    next = s2 + e;
    const e2 = e - (next - s2);
    s2 = next;

    next = s3 + p2;
    rest += p2 - (next - s3);
    s3 = next;
    next = s3 + e2;
    rest += e2 - (next - s3);
    s3 = next;
  }
  const expansion: number[] = [];
  addToExpansion(expansion, rest);
  addToExpansion(expansion, s3 - third);
  addToExpansion(expansion, s2 - second);
  addToExpansion(expansion, s1 - first);
  return expansion;
}
