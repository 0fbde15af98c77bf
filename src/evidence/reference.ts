import { type Certificate, emptyTally, mergeCertificates } from '../exact/certificate.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import type { Part } from '../exact/parts.ts';
import { chooseSample, takeCols, takeRows } from '../exact/sampled.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct, operandSize } from '../exact/sizes.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { memberOf, membersOf, readsFactors } from '../matrix/members.ts';

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
  /** Of a sample the places of its entries, each once, in m×n, row-major, the products of a batch one below the other. */
  readonly at?: Float64Array;
  /** The share of the m·n entries that are compared. */
  readonly checked: number;
  readonly certificate: Certificate;
  /** Of |α|‖A‖‖B‖ + |β|‖C‖: by the largest entries, and by the Frobenius norms. */
  readonly norms: { readonly maxProduct: number; readonly frobeniusProduct: number };
}

/** Where a compared entry lies. */
export const placeOf = ({ at }: Pick<Reference, 'at'>, entry: number): number =>
  at === undefined ? entry : at[entry];

/** Marks the entries of C, m×n, that are compared and for which something holds. */
export function marked(
  {
    outcomes: [{ c }],
    reference,
  }: { outcomes: readonly [{ readonly c: Matrix }, ...unknown[]]; reference: Reference },
  holds: (entry: number) => boolean,
): Uint8Array {
  const marks = new Uint8Array(c.data.length);
  for (let t = 0; t < reference.value.length; t++) if (holds(t)) marks[placeOf(reference, t)] = 1;
  return marks;
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
  /** Above, products of kernels that follow no plan of ours are judged by projections and a sample. */
  readonly projected: number;
  /** Whether a product is timed: this thread then does nothing but wait for it, and none is multiplied twice. */
  readonly timed: boolean;
}

/** What verdicts need: up to 512³ every entry by everything there is, above it all that is ours. */
export const thorough: Effort = {
  ...{ whole: Infinity, sample: 0, analysis: Infinity, projected: 2 ** 27, timed: false },
};

/** Everything up to 2048³, samples above: what measurements of any size need. */
export const measured: Effort = {
  whole: 1.2e10,
  sample: 4e9,
  analysis: 1.2e10,
  projected: Infinity,
  timed: true,
};

/** Errors alone, whole up to 640³: what timed products need. */
export const brief: Effort = {
  whole: 2 ** 28,
  sample: 2 ** 28,
  analysis: 0,
  projected: Infinity,
  timed: true,
};

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
  const { rows, cols } = chooseSample(gemm, { seed: operands.seed ?? 1, limit });
  const found: ComparedPart[] = [];
  for (const part of [
    { member: 0, rows },
    { member: 0, cols },
  ]) {
    const own = partOf(operands, gemm, part);
    const product = await exact(own.operands.a, own.operands.b);
    found.push({ part, reference: wholeOf(own.operands, own.gemm, product) });
  }
  return joinedParts(found, operands, gemm);
}

/** A part of a product, as a product of its own. */
export function partOf(
  operands: Compared,
  { m, k, alpha, beta }: Gemm,
  { member, rows, cols }: Part,
): { operands: Compared; gemm: Gemm } {
  const lines = (x: Matrix, size: number) => {
    const own = memberOf(x, size, member);
    return rows === undefined ? own : takeRows(own, rows);
  };
  const columns = (x: Matrix) => (cols === undefined ? x : takeCols(x, cols));
  const [a, b] = [lines(operands.a, m), columns(memberOf(operands.b, k, member))];
  const c = operands.c && columns(lines(operands.c, m));
  return { operands: { a, b, c }, gemm: { ...plainGemm({ m: a.rows, k, n: b.cols }), alpha, beta } };
}

/** A part of a product with all of its entries. */
export interface ComparedPart {
  readonly part: Part;
  readonly reference: Reference;
}

/** Where the entries of parts lie in their product. */
export interface Places {
  /** Ascending, each once. */
  readonly at: Float64Array;
  /** Of arrays of the entries of each part, one after the other, the numbers at these places. */
  taken(parts: readonly Float64Array[]): Float64Array;
}

/** The places of parts of a product. */
export function placesOf(parts: readonly Part[], { m, n }: Gemm): Places {
  const first = new Map<number, number>();
  let count = 0;
  for (const { member, rows = upTo(m), cols = upTo(n) } of parts) {
    for (const i of rows) {
      for (const j of cols) {
        const e = (member * m + i) * n + j;
        if (!first.has(e)) first.set(e, count);
        count++;
      }
    }
  }
  const at = Float64Array.from(first.keys()).sort();
  return {
    at,
    taken(parts) {
      const all = new Float64Array(count);
      let from = 0;
      for (const part of parts) {
        all.set(part, from);
        from += part.length;
      }
      return at.map((e) => all[first.get(e) as number]);
    },
  };
}

/** The entries of parts of a product; where they are all of it, as of a whole one. */
export function joinedParts(
  found: readonly ComparedPart[],
  operands: Compared,
  gemm: Gemm,
  places = placesOf(
    found.map(({ part }) => part),
    gemm,
  ),
): Reference {
  const taken = (name: 'value' | 'low' | 'size') =>
    places.taken(found.map(({ reference }) => reference[name]));
  const { at } = places;
  const checked = at.length / (gemm.m * gemm.n * gemm.batch);
  return {
    ...{ value: taken('value'), low: taken('low'), size: taken('size'), checked },
    ...(checked === 1 ? {} : { at }),
    certificate: mergeCertificates(found.map(({ reference }) => reference.certificate)),
    norms: normsOf(operands, gemm),
  };
}

const upTo = (size: number) => Array.from({ length: size }, (_, at) => at);

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
