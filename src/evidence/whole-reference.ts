import { mapNumbers } from '../base/numbers.ts';
import { type Certificate, emptyTally, mergeCertificates } from '../exact/certificate.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct, operandSize } from '../exact/sizes.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, isScaled, plainGemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors } from '../matrix/members.ts';
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
    ...{ checked: 1, certificate, norms: normsOf(operands, gemm) },
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

/** Computes the norms of |alpha|‖A‖‖B‖ + |beta|‖C‖. */
export function normsOf({ a, b, c }: ReferenceInput, gemm: Gemm): Reference['norms'] {
  const { alpha, beta, imaginary = NO_SCALING } = gemm;
  const [byAlpha, byBeta] = [
    Math.abs(alpha) + Math.abs(imaginary.alpha),
    Math.abs(beta) + Math.abs(imaginary.beta),
  ];
  const none = { maxAbs: 0, frobenius: 0 };
  const [x, y] = readsFactors(gemm) ? [operandSize(a), operandSize(b)] : [none, none];
  const z = byBeta === 0 || c === undefined ? none : operandSize(c);
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
