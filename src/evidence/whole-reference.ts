import { mapNumbers } from '../base/numbers.ts';
import { type Certificate, emptyTally, mergeCertificates } from '../exact/certificate.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct, operandSize } from '../exact/sizes.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors } from '../matrix/members.ts';
import type { Compared, ExactEntries, Reference } from './compared.ts';

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

/** All entries, given those of A·B. */
export function wholeOf(
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
  const size = mapNumbers(entries.size, (x, e) => {
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
export function nothing({ m, n }: Gemm): ExactProduct {
  const [data, low] = [new Float64Array(m * n), new Float64Array(m * n)];
  const certificate = { ...emptyTally(), entries: m * n, byExactSum: m * n };
  return { product: { rows: m, cols: n, data }, low, certificate };
}

/** The norms of |alpha|‖A‖‖B‖ + |beta|‖C‖. */
export function normsOf({ a, b, c }: Compared, gemm: Gemm): Reference['norms'] {
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
export function stacked(parts: readonly Reference[], { m, n, batch }: Gemm): Reference {
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
