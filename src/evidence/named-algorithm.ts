import type { GradingFamily } from './grading-operands.ts';

/** What the published tests call an algorithm. */
export const namedAlgorithms = [
  'classical in floating point',
  'classical in fixed point',
  'Strassen-like in floating point',
  'Strassen-like in fixed point',
] as const;
export type NamedAlgorithm = (typeof namedAlgorithms)[number];

/** What a product of one family shows: the largest error of entries that its test asks, in units of what it tolerates. */
export type Excesses = Readonly<Partial<Record<GradingFamily, number>>>;

/**
 * The algorithm as NVIDIA's tests 2, 4 and 6 name it (CUDALibrarySamples, cuBLAS/Emulation/gemm_grading, test_blas3.cpp, 2025):
 * where an inner product without a term is not 0, rows or columns were added (test 2); where exponents far apart cost more
 * than 10·n·u, numbers had fixed points (test 4; after test 2 failed, test 6).
 */
export function nameAlgorithm({ zeros = 0, shifted = 0, blocks = 0 }: Excesses): NamedAlgorithm {
  const isFast = !(zeros <= 1);
  const isFixed = !((isFast ? blocks : shifted) <= 1);
  return namedAlgorithms[2 * Number(isFast) + Number(isFixed)];
}

/** What a test compares: the product, the exact one, |A||B|. */
export interface TestedProduct {
  readonly n: number;
  readonly found: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly size: ArrayLike<number>;
}

/** Of the families that are a published test's: which entries it asks, and what it allows them, in units of |A||B|. */
const asks: Readonly<
  Partial<Record<GradingFamily, (at: { i: number; j: number; size: number; block: number }) => boolean>>
> = {
  zeros: ({ size }) => size === 0,
  shifted: () => true,
  blocks: ({ i, j, block }) => i < block - 1 && j < block - 1,
};

/**
 * The largest error of the entries that a family's test asks, over 10 times the error of a classical product; infinite for an
 * entry that should be 0 and is not; undefined where the family is no test's.
 * @param classical relative to |A||B|; 10·n·u in the published tests.
 */
export function excessOf(
  family: GradingFamily,
  { n, found, value, low, size }: TestedProduct,
  { classical, block }: { readonly classical: number; readonly block: number },
): number | undefined {
  const isAsked = asks[family];
  if (isAsked === undefined) return undefined;
  let worst = 0;
  for (let e = 0; e < found.length; e++) {
    if (!isAsked({ i: Math.floor(e / n), j: e % n, size: size[e], block })) continue;
    const error = Math.abs(found[e] - value[e] - low[e]);
    const excess = error === 0 ? 0 : error / (10 * classical * size[e]);
    if (!(excess <= worst)) worst = Number.isNaN(excess) ? Number.POSITIVE_INFINITY : excess;
  }
  return worst;
}
