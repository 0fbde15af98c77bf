import type { ExactProduct } from '../exact/exact.ts';
import { chooseSample } from '../exact/sampled.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors } from '../matrix/members.ts';
import type { Reference, ReferenceInput } from './compared.ts';
import {
  type ComparedPart,
  joinReferenceParts,
  makeZeroProduct,
  scaleWholeReference,
  stackReferences,
  takePart,
} from './whole-reference.ts';

/** Computes the exact product: in this thread, spread over workers, or on a GPU. */
export interface ExactMultiply {
  (a: Matrix, b: Matrix): ExactProduct | Promise<ExactProduct>;
  /**
   * Computes the magnitudes of its terms too, where that costs less beside the product than after it. Its arrays are lent: the next
   * product overwrites them.
   * @defaultValue never
   */
  withMagnitudes?(a: Matrix, b: Matrix): Promise<ExactProduct>;
  /** True if every entry of this product is computed in little time, however large it is. @defaultValue never */
  reaches?(a: Matrix, b: Matrix): Promise<boolean>;
}

/** The least cost of comparing one entry, in multiplications: time, and memory for its reference. */
const AN_ENTRY = 32;

/** Returns the cost of comparing a product entry by entry, in multiplications. */
export const comparisonCostOf = ({ m, k, n, batch }: Pick<Gemm, 'm' | 'k' | 'n' | 'batch'>): number =>
  m * n * Math.max(k, AN_ENTRY) * batch;

/** Limits on the cost of comparing, in multiplications. */
export interface ComparisonEffort {
  /** Up to this cost, and wherever a GPU reaches, every entry is compared. */
  readonly whole: number;
  /** The cost of a sample of larger products. */
  readonly sample: number;
  /** Up to this cost the model, the bounds and the expected errors are computed. */
  readonly analysis: number;
  /** Above this cost, products of kernels that follow no built-in plan are judged by projections and a sample. */
  readonly projected: number;
  /** True if a product is timed: this thread then only waits for it, and no product is multiplied twice. */
  readonly timed: boolean;
}

/** The effort for verdicts: up to 512³ every entry is compared in all ways, above that every entry of built-in kernels. */
export const thorough: ComparisonEffort = {
  ...{ whole: Infinity, sample: 0, analysis: Infinity, projected: 2 ** 27, timed: false },
};

/** The effort for measurements of any size: everything up to 2048³, samples above. */
export const measured: ComparisonEffort = {
  whole: 1.2e10,
  sample: 4e9,
  analysis: 1.2e10,
  projected: Infinity,
  timed: true,
};

/** The effort for timed products: errors alone, of all entries up to 640³. */
export const brief: ComparisonEffort = {
  whole: 2 ** 28,
  sample: 2 ** 28,
  analysis: 0,
  projected: Infinity,
  timed: true,
};

/**
 * Computes the reference of D = alpha·A·B + beta·C, `batch` times, as far as an effort allows; the products of a batch lie one below the
 * other.
 * @throws ParanoiaError any error of `exact`
 */
export async function referenceOf(
  operands: ReferenceInput,
  exact: ExactMultiply,
  { whole, sample }: ComparisonEffort,
  gemm = plainGemm(productShape(operands.a, operands.b)),
): Promise<Reference> {
  const { m, k, n, batch } = gemm;
  // With imaginary parts of alpha or beta an entry depends on two.
  const isSampled = gemm.imaginary === undefined;
  if (
    isSampled &&
    batch === 1 &&
    m * k * n > whole &&
    (await exact.reaches?.(operands.a, operands.b)) !== true
  ) {
    return sampledReference(operands, exact, sample, gemm);
  }
  const isLarge = m * k * n > whole;
  const parts: Reference[] = [];
  for (const one of membersOf(operands, gemm)) {
    const product = readsFactors(gemm) ? await exact(one.a, one.b) : makeZeroProduct(gemm);
    const size = isLarge ? await absoluteByExact(one.a, one.b, exact) : undefined;
    parts.push(scaleWholeReference(one, gemm, product, size));
  }
  return stackReferences(parts, gemm);
}

async function sampledReference(
  operands: ReferenceInput,
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
    const own = takePart(operands, gemm, part);
    const product = await exact(own.operands.a, own.operands.b);
    found.push({ part, reference: scaleWholeReference(own.operands, own.gemm, product) });
  }
  return joinReferenceParts(found, operands, gemm);
}

/** Computes |A||B| by an exact product: not below the true value, as {@link absoluteProduct}. */
async function absoluteByExact(a: Matrix, b: Matrix, exact: ExactMultiply): Promise<Float64Array> {
  const { data } = (await exact(magnitudes(a), magnitudes(b))).product;
  for (let e = 0; e < data.length; e++) data[e] *= 1 + 2 ** -52;
  return data;
}

function magnitudes({ rows, cols, data }: Matrix): Matrix {
  return { rows, cols, data: data.map(Math.abs) };
}
