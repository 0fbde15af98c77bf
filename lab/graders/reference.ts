import type { Gemm } from '../../src/matrix/gemm.ts';
import type { Format } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';
import type { Grader } from './grader.ts';

/** Dense matrices of one product of a batch, in double; C if it is read. */
export interface Dense {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array | undefined;
}

/** The parts of a grader that decide filling, storage and expected results. */
export type GraderRules = Pick<Grader, 'gaps' | 'reference' | 'rounds'>;

/** The format in which results are compared: that of the operands if the grader rounds to it. */
export const formatOf = ({ rounds }: Pick<GraderRules, 'rounds'>, { multiplied, d }: Precision): Format =>
  rounds && multiplied.precision < d.precision && multiplied.name !== 'tf32' ? multiplied : d;

/** Computes the expected entries of a product. */
export function computeExpectedEntries(
  all: readonly Dense[],
  gemm: Gemm,
  manner: GraderRules,
  precision: Precision,
): Float64Array {
  const { m, n } = gemm;
  const { round } = formatOf(manner, precision);
  const expected = new Float64Array(all.length * m * n);
  all.forEach((dense, p) => {
    const sums =
      manner.reference === 'binary64'
        ? sumsIn(Float64Array, dense, gemm)
        : sumsOfSame(dense, gemm, precision);
    for (let e = 0; e < m * n; e++) expected[p * m * n + e] = round(whole(sums[e], dense.c?.[e], gemm));
  });
  return expected;
}

/** alpha·sum + beta·C, without reading a term whose factor is 0. */
function whole(sum: number, c: number | undefined, { alpha, beta }: Gemm): number {
  const scaled = alpha === 1 ? sum : alpha * sum;
  return beta === 0 || c === undefined ? scaled : scaled + beta * c;
}

/** Sums of A·B in the format of sums, with each product and each sum rounded to it. */
function sumsOfSame(dense: Dense, gemm: Gemm, { accumulated }: Precision): ArrayLike<number> {
  if (accumulated.bytes > 4) return sumsIn(Float64Array, dense, gemm);
  if (accumulated.precision === 24) return sumsIn(Float32Array, dense, gemm);
  return sumsIn(Float64Array, dense, gemm, accumulated.round);
}

/** Sequential sums of A·B, in arrays of a type, or rounded after each term. */
function sumsIn(
  kept: Float32ArrayConstructor | Float64ArrayConstructor,
  { a, b }: Dense,
  { m, k, n, alpha }: Gemm,
  round?: (x: number) => number,
): Float32Array | Float64Array {
  const sums = new kept(m * n);
  if (alpha === 0) return sums;
  const row = new kept(n);
  for (let i = 0; i < m; i++) {
    row.fill(0);
    for (let p = 0; p < k; p++) {
      const left = a[i * k + p];
      const at = p * n;
      if (round === undefined) for (let j = 0; j < n; j++) row[j] += left * b[at + j];
      else for (let j = 0; j < n; j++) row[j] = round(row[j] + left * b[at + j]);
    }
    sums.set(row, i * n);
  }
  return sums;
}

/** |alpha|·|A||B| + |beta·C| of each entry. */
export function sizesOf(all: readonly Dense[], gemm: Gemm): Float64Array {
  const { m, n, alpha, beta } = gemm;
  const sizes = new Float64Array(all.length * m * n);
  all.forEach(({ a, b, c }, p) => {
    const sums = sumsIn(Float64Array, { a: a.map(Math.abs), b: b.map(Math.abs), c }, { ...gemm, alpha: 1 });
    for (let e = 0; e < m * n; e++) {
      sizes[p * m * n + e] = Math.abs(alpha) * sums[e] + (c === undefined ? 0 : Math.abs(beta * c[e]));
    }
  });
  return sizes;
}
