import type { Certificate } from '../exact/certificate.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { sampledProduct, takeCols, takeRows } from '../exact/sampled.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { absoluteProduct, type OperandSize, operandSize } from './sizes.ts';

/** Exact entries, and what errors of them are seen beside. */
export interface ExactEntries {
  /** Each rounded to double. */
  readonly value: Float64Array;
  /** What rounding left: exact − value. */
  readonly low: Float64Array;
  /** The entries of |A||B|. */
  readonly size: Float64Array;
}

/** What products of the same operands are compared with, whatever computes them: m×n, row-major, unless sampled. */
export interface Reference extends ExactEntries {
  /** Of a sample: the rows that these are, and the columns that are compared beside them, m×`cols.length`, row-major. */
  readonly sample?: {
    readonly rows: readonly number[];
    readonly cols: readonly number[];
    readonly inCols: ExactEntries;
  };
  /** The share of the m·n entries that are compared. */
  readonly checked: number;
  readonly certificate: Certificate;
  readonly norms: { readonly a: OperandSize; readonly b: OperandSize };
}

/** How the exact product is computed: in this thread, spread over workers, or on a GPU. */
export interface ExactMultiply {
  (a: Matrix, b: Matrix): ExactProduct | Promise<ExactProduct>;
  /** Whether every entry of this product is computed in little time, however large it is. @defaultValue never */
  reaches?(a: Matrix, b: Matrix): Promise<boolean>;
}

/** How much comparing may cost, in products of two entries. */
export interface Effort {
  /** Up to here, and wherever a GPU reaches, every entry is compared. */
  readonly whole: number;
  /** What a sample may cost above. */
  readonly sample: number;
  /** Up to here the mirror, the bounds and the expected errors are computed. */
  readonly analysis: number;
  /** Whether a product is timed: this thread then does nothing but wait for it, and none is multiplied twice. */
  readonly timed: boolean;
}

/** Every entry of every product, by everything there is: what verdicts need. */
export const thorough: Effort = { whole: Infinity, sample: 0, analysis: Infinity, timed: false };

/** Everything up to 2048³, samples above: what measurements of any size need. */
export const measured: Effort = { whole: 1.2e10, sample: 4e9, analysis: 1.2e10, timed: true };

/** Errors alone, whole up to 640³: what timed products need. */
export const brief: Effort = { whole: 2 ** 28, sample: 2 ** 28, analysis: 0, timed: true };

/**
 * What products of A and B are compared with, as far as an effort goes.
 * @throws ParanoiaError what `exact` throws
 */
export async function referenceOf(
  { a, b, seed = 1 }: { readonly a: Matrix; readonly b: Matrix; readonly seed?: number },
  exact: ExactMultiply,
  { whole, sample }: Effort,
): Promise<Reference> {
  const { m, k, n } = productShape(a, b);
  if (m * k * n <= whole) return wholeReference(a, b, await exact(a, b));
  if ((await exact.reaches?.(a, b)) === true) {
    return wholeReference(a, b, await exact(a, b), await absoluteByExact(a, b, exact));
  }
  const found = await sampledProduct(a, b, { seed, limit: sample }, exact);
  return {
    ...{ value: found.rowValues.data, low: found.rowLow },
    size: absoluteProduct(takeRows(a, found.rows), b),
    sample: {
      ...{ rows: found.rows, cols: found.cols },
      inCols: {
        ...{ value: found.colValues.data, low: found.colLow },
        size: absoluteProduct(a, takeCols(b, found.cols)),
      },
    },
    ...{ checked: found.fraction, certificate: found.certificate, norms: normsOf(a, b) },
  };
}

/** All entries, computed in this thread where they are not given. @throws ParanoiaError `shapes-differ` */
export function wholeReference(
  a: Matrix,
  b: Matrix,
  { product, low, certificate }: ExactProduct = exactProduct(a, b),
  size = absoluteProduct(a, b),
): Reference {
  return { value: product.data, low, size, checked: 1, certificate, norms: normsOf(a, b) };
}

const normsOf = (a: Matrix, b: Matrix) => ({ a: operandSize(a), b: operandSize(b) });

/** |A||B| by an exact product: not below the true value, as {@link absoluteProduct}. */
async function absoluteByExact(a: Matrix, b: Matrix, exact: ExactMultiply): Promise<Float64Array> {
  const { data } = (await exact(magnitudes(a), magnitudes(b))).product;
  for (let e = 0; e < data.length; e++) data[e] *= 1 + 2 ** -52;
  return data;
}

function magnitudes({ rows, cols, data }: Matrix): Matrix {
  return { rows, cols, data: data.map(Math.abs) };
}
