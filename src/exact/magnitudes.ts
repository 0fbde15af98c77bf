import type { RealArray, Shape } from '../matrix/dense.ts';
import { addProduct, addProduct32 } from '../precision/add-product.ts';
import type { ResultBlock } from './sums.ts';

/** Sums of the magnitudes of the terms of each entry of A·B, m×n row-major, in the order of k; large ones are added in binary32 first. */
export interface ProductMagnitudes {
  /** Σ|a||b|; with {@link raised}, above the exact sum. */
  readonly sizes: Float64Array;
  /** Σa²b². */
  readonly squares: Float64Array;
}

/** The operands of a product. */
export interface ProductOperands {
  readonly shape: Shape;
  /** A, m×k, and B, k×n, row-major. */
  readonly a: RealArray;
  readonly b: RealArray;
}

/** The operands of a product as {@link magnitudeWriter} takes them. */
export interface MagnitudeOperands extends ProductOperands {
  /** True if terms are added in binary32 first, which is twice as fast. */
  readonly inSingles: boolean;
}

/** The terms that are read at once: their copies in doubles stay in a processor's cache. */
const DEPTH = 2 ** 10;

/** The terms that are added in binary32 at a time. */
const SINGLE_DEPTH = 2 ** 8;

/** Below this many products of entries, all sums are in doubles. */
const SMALL = 2 ** 24;

/** With fewer rows or columns, looking at all entries takes as long as it spares. */
const NARROW = 16;

/** Between these no product or square of binary32 entries, nor the sum of {@link SINGLE_DEPTH} of them, leaves the normal numbers. */
const [SMALLEST, LARGEST] = [2 ** -31, 2 ** 29];

/** The rows and columns of the blocks that are read at once. */
export const MAGNITUDE_BLOCK = 2 ** 8;

const magnitudesFor = (entries: number): ProductMagnitudes => ({
  sizes: new Float64Array(entries),
  squares: new Float64Array(entries),
});

/** Computes the sums of all entries in this thread. */
export function magnitudesOf(given: ProductOperands): ProductMagnitudes {
  const operands = readMagnitudeOperands(given);
  const { m, n } = operands.shape;
  const all = magnitudesFor(m * n);
  const write = magnitudeWriter(operands, all);
  for (let i0 = 0; i0 < m; i0 += MAGNITUDE_BLOCK) {
    for (let j0 = 0; j0 < n; j0 += MAGNITUDE_BLOCK) {
      const [i1, j1] = [Math.min(i0 + MAGNITUDE_BLOCK, m), Math.min(j0 + MAGNITUDE_BLOCK, n)];
      write({ i0, i1, j0, j1 });
    }
  }
  return all;
}

/** Chooses the arithmetic of the sums: that of the whole product, so that no block or thread changes their bits. */
export function readMagnitudeOperands({ shape, a, b }: ProductOperands): MagnitudeOperands {
  const { m, k, n } = shape;
  const isLarge = m * k * n >= SMALL && Math.min(m, n) >= NARROW;
  const inSingles = isLarge && fitsSingles(a) && fitsSingles(b);
  return { shape, a, b, inSingles };
}

/** True if products of these entries and others are normal numbers of binary32. */
function fitsSingles(data: RealArray): boolean {
  if (!(data instanceof Float32Array)) return false;
  for (let e = 0; e < data.length; e++) {
    const size = Math.abs(data[e]);
    if (size !== 0 && !(size >= SMALLEST && size <= LARGEST)) return false;
  }
  return true;
}

/**
 * Returns a function that writes the sums of a block of entries, of at most {@link MAGNITUDE_BLOCK} rows and columns. It keeps scratch
 * memory, so it serves one caller at a time.
 */
export function magnitudeWriter(
  operands: MagnitudeOperands,
  to: ProductMagnitudes,
): (block: ResultBlock) => void {
  const { shape, inSingles } = operands;
  const { m, n } = shape;
  const own = magnitudesFor(Math.min(MAGNITUDE_BLOCK, m) * Math.min(MAGNITUDE_BLOCK, n));
  const add = inSingles ? singleSums(operands) : doubleSums(operands);
  return (block) => {
    const { i0, i1, j0, j1 } = block;
    const cols = j1 - j0;
    for (const name of NAMES) own[name].fill(0);
    add(block, own);
    for (let i = i0; i < i1; i++) {
      const at = (i - i0) * cols;
      for (const name of NAMES) to[name].set(own[name].subarray(at, at + cols), i * n + j0);
    }
  };
}

const NAMES = ['sizes', 'squares'] as const;

type BlockAdder = (block: ResultBlock, own: ProductMagnitudes) => void;

/** Adds in doubles, sequentially over k. */
function doubleSums({ shape: { m, k, n }, a, b }: MagnitudeOperands): BlockAdder {
  const depths = Math.min(DEPTH, k);
  const x = magnitudesFor(Math.min(MAGNITUDE_BLOCK, m) * depths);
  const y = magnitudesFor(depths * Math.min(MAGNITUDE_BLOCK, n));
  return ({ i0, i1, j0, j1 }, own) => {
    const [rows, cols] = [i1 - i0, j1 - j0];
    for (let from = 0; from < k; from += DEPTH) {
      const depth = Math.min(DEPTH, k - from);
      readMagnitudes(a, i0 * k + from, k, rows, depth, x);
      readMagnitudes(b, from * n + j0, n, depth, cols, y);
      for (const name of NAMES) addProduct(x[name], y[name], { m: rows, k: depth, n: cols }, own[name]);
    }
  };
}

/** Adds runs of terms in binary32, and their sums in doubles. Those of sizes are raised above the exact ones. */
function singleSums({ shape: { m, k, n }, a, b }: MagnitudeOperands): BlockAdder {
  const depths = Math.min(SINGLE_DEPTH, k);
  const [height, width] = [Math.min(MAGNITUDE_BLOCK, m), Math.min(MAGNITUDE_BLOCK, n)];
  const singlesFor = (entries: number) => ({
    sizes: new Float32Array(entries),
    squares: new Float32Array(entries),
  });
  const [x, y] = [singlesFor(height * depths), singlesFor(depths * width)];
  const run = new Float32Array(height * width);
  // A sum of t rounded products is too small by at most t·u of itself, to first order.
  const up = 1 + (depths + 3) * 2 ** -24;
  return ({ i0, i1, j0, j1 }, own) => {
    const [rows, cols] = [i1 - i0, j1 - j0];
    for (let from = 0; from < k; from += depths) {
      const depth = Math.min(depths, k - from);
      readMagnitudes(a, i0 * k + from, k, rows, depth, x);
      readMagnitudes(b, from * n + j0, n, depth, cols, y);
      for (const name of NAMES) {
        const [shape, sums] = [{ m: rows, k: depth, n: cols }, own[name]];
        run.fill(0, 0, rows * cols);
        addProduct32(x[name], y[name], shape, run);
        addRun(sums, run, rows * cols);
      }
    }
    for (let e = 0; e < rows * cols; e++) own.sizes[e] *= up;
  };
}

/** Adds the sums of a run. A function of its own is compiled for these arrays alone. */
function addRun(sums: Float64Array, run: Float32Array, count: number): void {
  for (let e = 0; e < count; e++) sums[e] += run[e];
}

/** Reads a block of an operand as magnitudes and squares. */
function readMagnitudes(
  data: RealArray,
  first: number,
  stride: number,
  rows: number,
  cols: number,
  { sizes, squares }: { readonly sizes: RealArray; readonly squares: RealArray },
): void {
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0, at = first + i * stride; j < cols; j++, e++, at++) {
      const x = data[at];
      sizes[e] = Math.abs(x);
      squares[e] = x * x;
    }
  }
}
