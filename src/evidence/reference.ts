import { type Certificate, emptyTally, mergeCertificates } from '../exact/certificate.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { sampledProduct, takeCols, takeRows } from '../exact/sampled.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct, operandSize } from '../exact/sizes.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors } from '../matrix/members.ts';

/** Exact entries, and what errors of them are seen beside. */
export interface ExactEntries {
  /** Each rounded to double. */
  readonly value: Float64Array;
  /** What rounding left: exact − value. */
  readonly low: Float64Array;
  /** The entries of |α||A||B| + |β||C|. */
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
  /** Of |α|‖A‖‖B‖ + |β|‖C‖: by the largest entries, and by the Frobenius norms. */
  readonly norms: { readonly maxProduct: number; readonly frobeniusProduct: number };
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

/** What a product's reference is made of. */
export interface Compared {
  readonly a: Matrix;
  readonly b: Matrix;
  /** Read where beta is not 0. */
  readonly c?: Matrix | undefined;
  readonly seed?: number | undefined;
}

/**
 * What D = alpha·A·B + beta·C, `batch` times, is compared with, as far as an effort goes: the products of a batch one
 * below the other.
 * @throws ParanoiaError what `exact` throws
 */
export async function referenceOf(
  operands: Compared,
  exact: ExactMultiply,
  { whole, sample }: Effort,
  gemm = plainGemm(productShape(operands.a, operands.b)),
): Promise<Reference> {
  const { m, k, n, batch } = gemm;
  if (batch === 1 && m * k * n > whole && (await exact.reaches?.(operands.a, operands.b)) !== true) {
    return sampledReference(operands, exact, sample, gemm);
  }
  const isLarge = m * k * n > whole;
  const parts: Reference[] = [];
  for (const one of membersOf(operands, gemm)) {
    const product = readsFactors(gemm) ? await exact(one.a, one.b) : nothing(gemm);
    const size = isLarge ? await absoluteByExact(one.a, one.b, exact) : undefined;
    parts.push(wholeOf(one, gemm, product, size));
  }
  return stacked(parts, gemm);
}

/** All entries, computed in this thread. @throws ParanoiaError `shapes-differ` */
export function wholeReference(
  operands: Compared,
  gemm = plainGemm(productShape(operands.a, operands.b)),
): Reference {
  const parts = [...membersOf(operands, gemm)].map((one) =>
    wholeOf(one, gemm, readsFactors(gemm) ? exactProduct(one.a, one.b) : nothing(gemm)),
  );
  return stacked(parts, gemm);
}

function wholeOf(
  operands: Compared,
  gemm: Gemm,
  { product, low, certificate }: ExactProduct,
  size?: Float64Array,
): Reference {
  const { n } = gemm;
  const entries = { value: product.data, low, size: size ?? sizesOf(operands, gemm) };
  const place = (e: number) => [Math.floor(e / n), e % n] as const;
  return {
    ...scaledTo(gemm, operands, entries, certificate, place),
    ...{ checked: 1, certificate, norms: normsOf(operands, gemm) },
  };
}

async function sampledReference(
  operands: Compared,
  exact: ExactMultiply,
  limit: number,
  gemm: Gemm,
): Promise<Reference> {
  const { a, b, seed = 1 } = operands;
  const found = await sampledProduct(a, b, { seed, limit }, exact);
  const { rows, cols, certificate } = found;
  const inRows = {
    ...{ value: found.rowValues.data, low: found.rowLow },
    size: absoluteProduct(takeRows(a, rows), b),
  };
  const inCols = {
    ...{ value: found.colValues.data, low: found.colLow },
    size: absoluteProduct(a, takeCols(b, cols)),
  };
  const atRow = (e: number) => [rows[Math.floor(e / gemm.n)], e % gemm.n] as const;
  const atCol = (e: number) => [Math.floor(e / cols.length), cols[e % cols.length]] as const;
  return {
    ...scaledTo(gemm, operands, inRows, certificate, atRow),
    sample: { rows, cols, inCols: scaledTo(gemm, operands, inCols, certificate, atCol) },
    ...{ checked: found.fraction, certificate, norms: normsOf(operands, gemm) },
  };
}

/** Entries of A·B as those of alpha·A·B + beta·C. */
function scaledTo(
  { alpha, beta }: Gemm,
  { a, b, c }: Compared,
  entries: ExactEntries,
  certificate: Certificate,
  place: (e: number) => readonly [i: number, j: number],
): ExactEntries {
  if (alpha === 1 && beta === 0) return entries;
  const scaled = { a, b, c, alpha, beta };
  const { value, low } = scaledEntries(entries, certificate, scaled, place);
  const [byAlpha, byBeta] = [Math.abs(alpha), Math.abs(beta)];
  const size = Float64Array.from(entries.size, (x, e) => {
    const product = alpha === 0 ? 0 : byAlpha * x;
    if (beta === 0) return product;
    const [i, j] = place(e);
    return (product + byBeta * Math.abs((c as Matrix).data[i * b.cols + j])) * (1 + 2 ** -50);
  });
  return { value, low, size };
}

const sizesOf = ({ a, b }: Compared, gemm: Gemm) =>
  readsFactors(gemm) ? absoluteProduct(a, b) : new Float64Array(gemm.m * gemm.n);

/** The product of nothing. */
function nothing({ m, n }: Gemm): ExactProduct {
  const [data, low] = [new Float64Array(m * n), new Float64Array(m * n)];
  const certificate = { ...emptyTally(), entries: m * n, byExactSum: m * n };
  return { product: { rows: m, cols: n, data }, low, certificate };
}

function normsOf({ a, b, c }: Compared, gemm: Gemm): Reference['norms'] {
  const { alpha, beta } = gemm;
  const none = { maxAbs: 0, frobenius: 0 };
  const [x, y] = readsFactors(gemm) ? [operandSize(a), operandSize(b)] : [none, none];
  const z = beta === 0 || c === undefined ? none : operandSize(c);
  return {
    maxProduct: Math.abs(alpha) * x.maxAbs * y.maxAbs + Math.abs(beta) * z.maxAbs,
    frobeniusProduct: Math.abs(alpha) * x.frobenius * y.frobenius + Math.abs(beta) * z.frobenius,
  };
}

/** The references of the products of a batch as one. */
function stacked(parts: readonly Reference[], { m, n, batch }: Gemm): Reference {
  if (parts.length === 1) return parts[0];
  const one = m * n;
  const all = {
    value: new Float64Array(batch * one),
    low: new Float64Array(batch * one),
    size: new Float64Array(batch * one),
  };
  for (const [p, part] of parts.entries()) {
    for (const name of ['value', 'low', 'size'] as const) all[name].set(part[name], p * one);
  }
  const norms = parts.map((part) => part.norms);
  return {
    ...all,
    checked: 1,
    certificate: mergeCertificates(parts.map(({ certificate }) => certificate)),
    norms: {
      maxProduct: norms.reduce((most, { maxProduct }) => Math.max(most, maxProduct), 0),
      frobeniusProduct: Math.sqrt(norms.reduce((sum, { frobeniusProduct: x }) => sum + x * x, 0)),
    },
  };
}

/** |A||B| by an exact product: not below the true value, as {@link absoluteProduct}. */
async function absoluteByExact(a: Matrix, b: Matrix, exact: ExactMultiply): Promise<Float64Array> {
  const { data } = (await exact(magnitudes(a), magnitudes(b))).product;
  for (let e = 0; e < data.length; e++) data[e] *= 1 + 2 ** -52;
  return data;
}

function magnitudes({ rows, cols, data }: Matrix): Matrix {
  return { rows, cols, data: data.map(Math.abs) };
}
