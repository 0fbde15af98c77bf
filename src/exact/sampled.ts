import { type Matrix, matrix, type RealArray, type Shape } from '../matrix/dense.ts';

/** The rows and columns of an m×n product that are computed exactly; ascending, without repeats. */
interface ProductSample {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  /** The fraction of the m·n entries in a chosen row or column, 0 to 1; 1 if the product is empty. */
  readonly fraction: number;
}

interface SampleOptions {
  /** The seed of rows and columns: the same seed and shape give the same sample. */
  readonly seed: number;
  /** The most products of entries to compute: up to this limit the whole product, m·k·n, is computed. */
  readonly limit: number;
}

/**
 * Chooses rows and columns of an m×k×n product. Within the limit, it chooses all rows. Above it, half of the limit goes to rows and half
 * to columns, at least one of each. One is chosen at random from each of several equal ranges, so that no region is left out. Every
 * column crosses every row, so a fault of any whole row or column is met.
 */
export function chooseSample({ m, k, n }: Shape, { seed, limit }: SampleOptions): ProductSample {
  if (m * k * n <= limit || m === 0 || n === 0) {
    return { rows: Array.from({ length: m }, (_, i) => i), cols: [], fraction: 1 };
  }
  const next = createUniform(seed);
  const rows = pickOneOfEach(m, Math.floor(limit / 2 / (k * n)), next);
  const cols = pickOneOfEach(n, Math.floor(limit / 2 / (k * m)), next);
  const covered = rows.length * n + cols.length * m - rows.length * cols.length;
  return { rows, cols, fraction: covered / (m * n) };
}

/** Returns the given rows of a matrix, in that order. */
export function takeRows(x: Matrix, rows: readonly number[]): Matrix {
  const data = sameKind(x, rows.length * x.cols);
  rows.forEach((i, at) => {
    data.set(x.data.subarray(i * x.cols, (i + 1) * x.cols), at * x.cols);
  });
  return matrix(rows.length, x.cols, data);
}

/** Returns the given columns of a matrix, in that order. */
export function takeCols(x: Matrix, cols: readonly number[]): Matrix {
  const data = sameKind(x, x.rows * cols.length);
  for (let i = 0; i < x.rows; i++) {
    for (let at = 0; at < cols.length; at++) data[i * cols.length + at] = x.data[i * x.cols + cols[at]];
  }
  return matrix(x.rows, cols.length, data);
}

function sameKind({ data }: Matrix, length: number): RealArray {
  return data instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}

/** Returns a generator of uniform numbers in [0, 1) from a 32-bit seed: Weyl sequence and a multiplicative mix (mulberry32). */
export function createUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) * 2 ** -32;
  };
}

/** Returns one random index from each of `parts` equal ranges of 0 … size − 1; at least 1 and at most `size` indices. */
export function pickOneOfEach(size: number, parts: number, next: () => number): number[] {
  const count = Math.min(Math.max(parts, 1), size);
  return Array.from({ length: count }, (_, s) => {
    const begin = Math.floor((s * size) / count);
    const end = Math.floor(((s + 1) * size) / count);
    return begin + Math.floor(next() * (end - begin));
  });
}
