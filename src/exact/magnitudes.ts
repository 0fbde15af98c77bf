import type { RealArray, Shape } from '../matrix/dense.ts';
import { addProduct } from '../precision/add-product.ts';
import type { ResultBlock } from './sums.ts';

/** Sums of the magnitudes of the terms of each entry of A·B, m×n row-major, in doubles, sequentially over k. */
export interface ProductMagnitudes {
  /** Σ|a||b|. */
  readonly sizes: Float64Array;
  /** Σa²b². */
  readonly squares: Float64Array;
}

/** The operands of a product as the reader of magnitudes takes them. */
export interface MagnitudeOperands {
  readonly shape: Shape;
  /** A, m×k, and B, k×n, row-major. */
  readonly a: RealArray;
  readonly b: RealArray;
}

/** The terms that are read at once: their copies in doubles stay in a processor's cache. */
const DEPTH = 2 ** 10;

/** The rows and columns of the blocks that are read at once. */
export const MAGNITUDE_BLOCK = 2 ** 8;

const magnitudesFor = (entries: number): ProductMagnitudes => ({
  sizes: new Float64Array(entries),
  squares: new Float64Array(entries),
});

/** Computes the sums of all entries in this thread. */
export function magnitudesOf(operands: MagnitudeOperands): ProductMagnitudes {
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

/**
 * Returns a function that writes the sums of a block of entries, of at most {@link MAGNITUDE_BLOCK} rows and columns. It keeps scratch
 * memory, so it serves one caller at a time.
 */
export function magnitudeWriter(
  { shape, a, b }: MagnitudeOperands,
  to: ProductMagnitudes,
): (block: ResultBlock) => void {
  const { m, k, n } = shape;
  const [height, depths, width] = [
    Math.min(MAGNITUDE_BLOCK, m),
    Math.min(DEPTH, k),
    Math.min(MAGNITUDE_BLOCK, n),
  ];
  const x = magnitudesFor(height * depths);
  const y = magnitudesFor(depths * width);
  const own = magnitudesFor(height * width);
  return ({ i0, i1, j0, j1 }) => {
    const [rows, cols] = [i1 - i0, j1 - j0];
    for (const name of NAMES) own[name].fill(0);
    for (let from = 0; from < k; from += DEPTH) {
      const depth = Math.min(DEPTH, k - from);
      readMagnitudes(a, i0 * k + from, k, rows, depth, x);
      readMagnitudes(b, from * n + j0, n, depth, cols, y);
      for (const name of NAMES) addProduct(x[name], y[name], { m: rows, k: depth, n: cols }, own[name]);
    }
    for (let i = 0; i < rows; i++) {
      for (const name of NAMES) to[name].set(own[name].subarray(i * cols, (i + 1) * cols), (i0 + i) * n + j0);
    }
  };
}

const NAMES = ['sizes', 'squares'] as const;

/** Reads a block of an operand as magnitudes and squares. */
function readMagnitudes(
  data: RealArray,
  first: number,
  stride: number,
  rows: number,
  cols: number,
  { sizes, squares }: ProductMagnitudes,
): void {
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0, at = first + i * stride; j < cols; j++, e++, at++) {
      const x = data[at];
      sizes[e] = Math.abs(x);
      squares[e] = x * x;
    }
  }
}
