import { mapNumbers } from '../base/numbers.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { type Certificate, emptyTally, mergeCertificates } from '../exact/exact-product.ts';
import type { ProductPart } from '../exact/parts.ts';
import { takeCols, takeRows } from '../exact/sampled.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct, type OperandSize, operandSize } from '../exact/sizes.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, isScaled, plainGemm, readsAddend } from '../matrix/gemm.ts';
import { memberOf, membersOf, readsFactors } from '../matrix/members.ts';
import type { ExactEntries, Reference, ReferenceInput } from './compared.ts';

/** Computes the reference of all entries in this thread. @throws ParanoiaError `shapes-differ` */
export function wholeReference(
  operands: ReferenceInput,
  gemm = plainGemm(productShape(operands.a, operands.b)),
): Reference {
  const parts = [...membersOf(operands, gemm)].map((one) =>
    scaleWholeReference(one, gemm, readsFactors(gemm) ? exactProduct(one.a, one.b) : makeZeroProduct(gemm)),
  );
  return stackReferences(parts, gemm);
}

/** Computes the reference of all entries from those of A·B. */
export function scaleWholeReference(
  operands: ReferenceInput,
  gemm: Gemm,
  { product, low, certificate }: ExactProduct,
  size?: Float64Array,
): Reference {
  const { n } = gemm;
  const entries = { value: product.data, low, size: size ?? sizesOf(operands, gemm) };
  const place = (e: number) => [Math.floor(e / n), e % n] as const;
  return {
    ...scaledTo(gemm, operands, entries, certificate, place),
    ...{ checked: 1, certificate, norms: normsOf(measured(operands, gemm), gemm) },
  };
}

/** Converts entries of A·B to those of alpha·A·B + beta·C. */
function scaledTo(
  gemm: Gemm,
  { a, b, c }: ReferenceInput,
  entries: ExactEntries,
  certificate: Certificate,
  place: (e: number) => readonly [i: number, j: number],
): ExactEntries {
  if (!isScaled(gemm)) return entries;
  const { alpha, beta, imaginary } = gemm;
  const scaled = { a, b, c, alpha, beta, imaginary };
  const { value, low } = scaledEntries(entries, certificate, scaled, place);
  const sizesOf = (byAlpha: number, byBeta: number) => (at: number, added: number) => {
    const product = byAlpha === 0 ? 0 : byAlpha * entries.size[at];
    return byBeta === 0 ? product : (product + byBeta * Math.abs((c as Matrix).data[added])) * (1 + 2 ** -50);
  };
  const own = sizesOf(Math.abs(alpha), Math.abs(beta));
  const other = imaginary && sizesOf(Math.abs(imaginary.alpha), Math.abs(imaginary.beta));
  const half = a.rows / 2;
  const size = mapNumbers(entries.size, (_, e) => {
    const [i, j] = place(e);
    const size = own(e, i * b.cols + j);
    if (other === undefined) return size;
    const at = ((i + half) % a.rows) * b.cols + j;
    return (size + other(at, at)) * (1 + 2 ** -50);
  });
  return { value, low, size };
}

const sizesOf = ({ a, b }: ReferenceInput, gemm: Gemm) =>
  readsFactors(gemm) ? absoluteProduct(a, b) : new Float64Array(gemm.m * gemm.n);

/** Returns the zero product, for factors that are not read. */
export function makeZeroProduct({ m, n }: Gemm): ExactProduct {
  const [data, low] = [new Float64Array(m * n), new Float64Array(m * n)];
  const certificate = { ...emptyTally(), entries: m * n, byExactSum: m * n };
  return { product: { rows: m, cols: n, data }, low, certificate };
}

const NO_SCALING = { alpha: 0, beta: 0 };

/** The sizes of the operands that a product reads. */
export interface OperandSizes {
  readonly a: OperandSize;
  readonly b: OperandSize;
  readonly c?: OperandSize | undefined;
}

/** Measures the operands that a product reads. */
function measured({ a, b, c }: ReferenceInput, gemm: Gemm): OperandSizes {
  const [x, y] = readsFactors(gemm) ? [operandSize(a), operandSize(b)] : [NO_SIZE, NO_SIZE];
  return { a: x, b: y, c: readsAddend(gemm) && c !== undefined ? operandSize(c) : undefined };
}

const NO_SIZE: OperandSize = { maxAbs: 0, frobenius: 0 };

/** Computes the norms of |alpha|‖A‖‖B‖ + |beta|‖C‖. */
function normsOf({ a, b, c }: OperandSizes, gemm: Gemm): Reference['norms'] {
  const { alpha, beta, imaginary = NO_SCALING } = gemm;
  const [byAlpha, byBeta] = [
    Math.abs(alpha) + Math.abs(imaginary.alpha),
    Math.abs(beta) + Math.abs(imaginary.beta),
  ];
  const [x, y] = readsFactors(gemm) ? [a, b] : [NO_SIZE, NO_SIZE];
  const z = c ?? NO_SIZE;
  return {
    maxProduct: byAlpha * x.maxAbs * y.maxAbs + byBeta * z.maxAbs,
    frobeniusProduct: byAlpha * x.frobenius * y.frobenius + byBeta * z.frobenius,
  };
}

/** Joins the references of the products of a batch. */
export function stackReferences(parts: readonly Reference[], { m, n, batch }: Gemm): Reference {
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

/** Returns a part of a product as a product of its own. */
export function takePart(
  operands: ReferenceInput,
  { m, k, alpha, beta }: Gemm,
  { member, rows, cols }: ProductPart,
): { operands: ReferenceInput; gemm: Gemm } {
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
  readonly part: ProductPart;
  readonly reference: Reference;
}

/** Places of the entries of parts in their product. */
interface PartPlaces {
  /** The places in ascending order, each once. */
  readonly at: Float64Array;
  /** Picks the numbers at these places from arrays of the entries of each part. */
  taken(parts: readonly Float64Array[]): Float64Array;
}

export function placesOfParts(parts: readonly ProductPart[], { m, n }: Gemm): PartPlaces {
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

/** Joins the entries of parts of a product; if the parts cover it, the result is a whole reference. */
export function joinReferenceParts(
  found: readonly ComparedPart[],
  operands: ReferenceInput,
  gemm: Gemm,
  places = placesOfParts(
    found.map(({ part }) => part),
    gemm,
  ),
  sizes = measured(operands, gemm),
): Reference {
  const taken = (name: 'value' | 'low' | 'size') =>
    places.taken(found.map(({ reference }) => reference[name]));
  const { at } = places;
  const checked = at.length / (gemm.m * gemm.n * gemm.batch);
  return {
    ...{ value: taken('value'), low: taken('low'), size: taken('size'), checked },
    ...(checked === 1 ? {} : { at }),
    certificate: mergeCertificates(found.map(({ reference }) => reference.certificate)),
    norms: normsOf(sizes, gemm),
  };
}

const upTo = (size: number) => Array.from({ length: size }, (_, at) => at);
