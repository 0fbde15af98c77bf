import { type Gemm, type MatrixLayout, storedLinesOf } from '../../src/matrix/gemm.ts';
import type { Fill } from './fills.ts';

/** The storage of a matrix in a grader; row-major without gaps by default. */
export interface MatrixStorageSpec {
  readonly op?: 'n' | 't';
  readonly order?: 'row' | 'column';
  /** Entries of a line beyond the minimum. */
  readonly pad?: number;
  readonly offset?: number;
  /** True if all products of a batch share this matrix. */
  readonly shared?: boolean;
}

/** The product that a grader wants. */
export interface GraderProduct {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly batch?: number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly a?: MatrixStorageSpec;
  readonly b?: MatrixStorageSpec;
  readonly c?: MatrixStorageSpec;
  /** True if D is not in the memory of C. */
  readonly apart?: boolean;
}

/** One request of a grader: a product and its operands. */
export interface GraderRequest {
  readonly wanted: GraderProduct;
  readonly fill: Fill;
  /** Contents of D before the call; C's entries if D overwrites C and C is read. */
  readonly before: 'zeros' | 'nan' | 'data';
  /** True if C holds NaN although beta is 0. */
  readonly poisonsC?: boolean;
  /** A special value in op(A): its row, column and value. */
  readonly special?: readonly [row: number, col: number, value: number];
  /** The number of calls in a row; every answer is compared. @defaultValue 1 */
  readonly times?: number;
}

const laid = (
  rows: number,
  cols: number,
  { op = 'n', order = 'row', pad = 0, offset = 0, shared }: MatrixStorageSpec = {},
): MatrixLayout => {
  const { lines, entries } = storedLinesOf({ op, order }, { rows, cols });
  const ld = Math.max(1, entries) + pad;
  return { op, order, ld, offset, stride: shared === true ? 0 : lines * ld };
};

/** Converts a product into the arguments of kernels. */
export function toGraderGemm({
  m,
  k,
  n,
  batch = 1,
  alpha = 1,
  beta = 0,
  a,
  b,
  c,
  apart,
}: GraderProduct): Gemm {
  const out = laid(m, n, c);
  const d = apart === true ? { ...out } : out;
  return { m, k, n, batch, alpha, beta, a: laid(m, k, a), b: laid(k, n, b), c: out, d };
}

/** The number of multiplications of a product. */
export const countProducts = ({ m, k, n, batch = 1 }: GraderProduct): number => m * k * n * batch;

/**
 * Halves the sizes of a product, the largest first, until it has at most `most` multiplications; the size of its batch counts
 * like the others.
 */
export function shrinkProduct(wanted: GraderProduct, most: number): GraderProduct {
  let found = wanted;
  while (countProducts(found) > most) {
    const sizes = { m: found.m, k: found.k, n: found.n, batch: found.batch ?? 1 };
    const [largest] = Object.entries(sizes).sort(([, one], [, other]) => other - one)[0];
    found = { ...found, [largest]: Math.ceil(sizes[largest as keyof typeof sizes] / 2) };
  }
  return found;
}
