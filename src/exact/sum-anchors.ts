import { makeNumbers } from '../base/numbers.ts';
import type { RealArray } from '../matrix/dense.ts';
import { addProduct32 } from '../precision/add-product.ts';
import type { ExactOperands } from './operands.ts';
import type { ExponentProfile } from './profile.ts';
import type { BlockSummer, ResultBlock } from './sums.ts';

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
