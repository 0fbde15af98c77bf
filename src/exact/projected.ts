import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/factor.ts';
import { panelsOf, type Rows } from '../matrix/row-reader.ts';
import { addExactly, multiplyExactly } from './double-double.ts';
import { type ExactProduct, exactProduct } from './exact.ts';
import { createUniform, takeCols, takeRows } from './sampled.ts';

/** A computed product and its operands: D = alpha·A·B + beta·C, all entries finite. */
export interface ProjectedProduct extends Scaling {
  /** m×n. */
  readonly computed: Rows;
  readonly a: Rows;
  readonly b: Rows;
  /** m×n; not read with beta = 0. */
  readonly c?: Rows | undefined;
  /** The {@link signedSums} of B, where they are known. */
  readonly sumsOfB?: SignedSums | undefined;
}

/** Random signs for projections; columns of B are summed in blocks of `width`. */
export interface ProjectionSigns {
  /** The vectors of signs: n×s of ±1. */
  readonly signs: Matrix<Float32Array>;
  readonly width: number;
}

/** Returns n×s random signs. */
export function randomSigns(n: number, vectors: number, seed: number): Matrix<Float32Array> {
  const next = createUniform(seed);
  return matrix(
    n,
    vectors,
    Float32Array.from({ length: n * vectors }, () => (next() < 0.5 ? -1 : 1)),
  );
}

/**
 * Computes the errors of signed sums of blocks of each row of D̂. Entry i·⌈n/w⌉ + J is the largest |Σ_j x_j·(d̂_ij − d_ij)| over the
 * columns j of block J and the vectors of signs x (Freivalds, *Probabilistic machines can use less running time*, 1977). It is found as
 * D̂x − alpha·A(Bx) − beta·Cx, and is not finite if a sum leaves the range of doubles. Its own error is at most {@link projectionSlack}.
 */
export function projectedErrors(
  { computed, a, b, c, alpha, beta, sumsOfB }: ProjectedProduct,
  by: ProjectionSigns,
): Float64Array {
  const vectors = by.signs.cols;
  const blocks = Math.ceil(b.cols / by.width);
  const found = signedSums(computed, by);
  const inner = alpha === 0 || a.cols === 0 ? undefined : timesPair(a, sumsOfB ?? signedSums(b, by));
  const before = beta === 0 || c === undefined ? undefined : signedSums(c, by);
  const errors = new Float64Array(computed.rows * blocks);
  for (let at = 0; at < found.value.length; at++) {
    let [high, low] = [found.value[at], found.low[at]];
    for (const [factor, sums] of [
      [alpha, inner],
      [beta, before],
    ] as const) {
      if (sums === undefined) continue;
      const [product, rest] = factor === 1 ? [sums.value[at], 0] : multiplyExactly(factor, sums.value[at]);
      const [difference, lost] = addExactly(high, -product);
      high = difference;
      low += lost - rest - factor * sums.low[at];
    }
    const error = Math.abs(high + low);
    const line = Math.floor(at / vectors);
    if (!(error <= errors[line])) errors[line] = Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
  }
  return errors;
}

/**
 * Bounds the error of {@link projectedErrors} for a block whose |alpha||A||B| + |beta||C| + |D̂| sum up to `size`, in sums of k terms
 * and of w entries.
 * With u = 2^-53: value + low of an exact product of length l are off by u²·(l + 3)²/2 of its size, by u·|low| ≤ u² of it, or by 2^-1075
 * ({@link ExactProduct}); those of Bx count with |A|; A·low is rounded to u of itself, which is u of |A||Bx|. At most eight additions of
 * parts of u of the size each make 8u² more of it, and |r| is rounded to u of itself, which is left to the comparison. In all, below
 * u²·size·((k + 3)² + (w + 3)²)·4, and what underflows is k + w + 8 times the smallest number, its neighbors in a split product
 * included, times the largest entry of A.
 */
export function projectionSlack(k: number, width: number, size: number, largestA: number): number {
  const relative = 2 ** -104 * ((k + 3) ** 2 + (width + 3) ** 2);
  return relative * size + (k + width + 8) * 2 ** -1060 * (1 + largestA);
}

/** Sums as a double each, and what it lacks. */
export type SignedSums = Pick<ExactProduct, 'low'> & { readonly value: Float64Array };

/** Entries that are multiplied by signs at once: exact products of fewer would read the signs more often than the entries. */
const PANEL = 2 ** 20;

/** Returns the signed sums of the blocks of each row, rows×(blocks·vectors). */
export function signedSums(x: Rows, { signs, width }: ProjectionSigns): SignedSums {
  const { cols: vectors } = signs;
  const blocks = Math.ceil(x.cols / width);
  const length = x.rows * blocks * vectors;
  const sums = { value: new Float64Array(length), low: new Float64Array(length) };
  const parts = Array.from({ length: blocks }, (_, block) => {
    const size = Math.min(width, x.cols - block * width);
    const columns = Array.from({ length: size }, (_, at) => block * width + at);
    return { columns, signs: blocks === 1 ? signs : takeRows(signs, columns) };
  });
  for (const { from, panel } of panelsOf(x, PANEL)) {
    for (const [block, part] of parts.entries()) {
      const own = blocks === 1 ? panel : takeCols(panel, part.columns);
      const { product, low } = exactProduct(own, part.signs);
      for (let i = 0; i < panel.rows; i++) {
        const [at, to] = [i * vectors, ((from + i) * blocks + block) * vectors];
        sums.value.set(product.data.subarray(at, at + vectors), to);
        sums.low.set(low.subarray(at, at + vectors), to);
      }
    }
  }
  return sums;
}

/** Multiplies A by pairs of k rows. */
function timesPair(a: Rows, { value, low }: SignedSums): SignedSums {
  const right = (data: Float64Array) => matrix(a.cols, data.length / a.cols, data);
  const columns = value.length / a.cols;
  const isExact = low.every((x) => x === 0);
  const sums = { value: new Float64Array(a.rows * columns), low: new Float64Array(a.rows * columns) };
  for (const { from, panel } of panelsOf(a, PANEL)) {
    const high = exactProduct(panel, right(value));
    const rest = isExact ? undefined : exactProduct(panel, right(low)).product.data;
    sums.value.set(high.product.data, from * columns);
    sums.low.set(rest === undefined ? high.low : high.low.map((x, at) => x + rest[at]), from * columns);
  }
  return sums;
}
