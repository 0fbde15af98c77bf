import type { GradingFamily } from './grading-operands.ts';

/** Names of algorithms in the published tests. */
const namedAlgorithms = [
  'classical in floating point',
  'classical in fixed point',
  'Strassen-like in floating point',
  'Strassen-like in fixed point',
] as const;
export type NamedAlgorithm = (typeof namedAlgorithms)[number];

/** The result of each family: the largest error of the entries that its test inspects, in units of its tolerance. */
export type Excesses = Readonly<Partial<Record<GradingFamily, number>>>;

/**
 * Names the algorithm as NVIDIA's tests 2, 4 and 6 do (CUDALibrarySamples, cuBLAS/Emulation/gemm_grading, test_blas3.cpp, 2025). Where an
 * inner product without a term is not 0, rows or columns were added (test 2). Where exponents far apart cost more than 10·n·u, the
 * arithmetic is fixed-point (test 4; after test 2 failed, test 6).
 */
export function nameAlgorithm({ zeros = 0, shifted = 0, blocks = 0 }: Excesses): NamedAlgorithm {
  const isFast = !(zeros <= 1);
  const isFixed = !((isFast ? blocks : shifted) <= 1);
  return namedAlgorithms[2 * Number(isFast) + Number(isFixed)];
}

/** The input of a test: the product, the exact one, |A||B|. */
export interface TestedProduct {
  readonly n: number;
  readonly found: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly size: ArrayLike<number>;
}

/** Entries that a published test inspects, for the families that such a test has. */
const asks: Readonly<
  Partial<Record<GradingFamily, (at: { i: number; j: number; size: number; block: number }) => boolean>>
> = {
  zeros: ({ size }) => size === 0,
  shifted: () => true,
  blocks: ({ i, j, block }) => i < block - 1 && j < block - 1,
};

/**
 * Returns the largest error of the entries that a family's test inspects, over 10 times the error of a classical product. It is infinite
 * for an entry that should be 0 and is not, and undefined where no test has the family.
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
