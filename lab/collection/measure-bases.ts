import { mean } from 'd3-array';
import { type Algorithm, countLevelsWithin } from '../../src/algorithms/algorithm.ts';
import { columnsOfRows } from '../../src/collection/figures.ts';
import type { Matrix } from '../../src/matrix/dense.ts';
import { compile } from '../../src/plan/compile.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { singleComputation } from '../../src/precision/single.ts';
import { runModel } from '../../src/readers/model.ts';
import { plainAdditions } from './figures.ts';
import { illScaledPair } from './ill-scaled.ts';
import { intervalOf, type MeanInterval, shapesOf } from './measure.ts';
import { basisAdditions, inSparseBasis } from './sparse-basis.ts';
import { sparseProduct } from './sparse-product.ts';

/** Options of measuring a table in an alternative basis. */
export interface BasisOptions {
  readonly size: number;
  readonly levels: number;
  /** The number of random pairs; at least two. */
  readonly replicates: number;
}

/** The most products of a recursion; deeper levels are left out. */
const MOST_PRODUCTS = 3_000;

export const defaultBases: BasisOptions = { size: 64, levels: 4, replicates: 6 };

/** Measurements of a table in the basis with its shortest sums. */
export interface MeasuredBasis {
  /** Additions of blocks per level: of the table itself, without shared sums; of the sparse recursion; of the three changes of basis. */
  readonly additions: { readonly plain: number; readonly core: number; readonly bases: number };
  /** Bits of the mean error lost against the classical product of the same operands, by level from 1. */
  readonly plain: readonly MeanInterval[];
  readonly sparse: readonly MeanInterval[];
}

/**
 * Measures a table as it is and in its sparse basis, on the same operands, uniform on [−1, 1]. Mean errors in binary32 are taken
 * against sums in binary64, whose own errors are 2^-29 of these.
 * @returns undefined if there is no such basis
 */
export function measureBases(
  algorithm: Algorithm,
  { size, levels, replicates }: BasisOptions,
): MeasuredBasis | undefined {
  const sparse = inSparseBasis(algorithm);
  if (sparse === undefined) return undefined;
  const { base, u, v, w } = algorithm;
  const computation = singleComputation(emulated);
  const found = { plain: [] as MeanInterval[], sparse: [] as MeanInterval[] };
  for (let level = 1; level <= Math.min(levels, countLevelsWithin(algorithm, MOST_PRODUCTS)); level++) {
    const [one] = shapesOf(base, level, [size]);
    if (one === undefined) break;
    const { shape } = one;
    const planAt = (depth: number) => compile({ algorithm, shape, depth: { levels: depth } });
    const lost = { plain: [] as number[], sparse: [] as number[] };
    for (let seed = 1; seed <= replicates; seed++) {
      const pair = illScaledPair('no scaling', shape, seed);
      const exact = sumsOf(pair);
      const classical = meanError(runModel(planAt(0), pair.a, pair.b, computation), exact);
      const bits = (c: Matrix) => Math.log2(meanError(c, exact) / classical);
      lost.plain.push(bits(runModel(planAt(level), pair.a, pair.b, computation)));
      lost.sparse.push(bits(sparseProduct(sparse, pair, level, computation)));
    }
    found.plain.push(intervalOf(lost.plain));
    found.sparse.push(intervalOf(lost.sparse));
  }
  const plain = plainAdditions(u) + plainAdditions(v) + plainAdditions(columnsOfRows(w));
  return { additions: { plain, ...basisAdditions(sparse) }, ...found };
}

function sumsOf({ a, b }: { readonly a: Matrix; readonly b: Matrix }): Float64Array {
  return Float64Array.from({ length: a.rows * b.cols }, (_, e) => {
    const [i, j] = [Math.floor(e / b.cols), e % b.cols];
    let sum = 0;
    for (let k = 0; k < a.cols; k++) sum += a.data[i * a.cols + k] * b.data[k * b.cols + j];
    return sum;
  });
}

const meanError = ({ data }: Matrix, exact: Float64Array): number =>
  mean(data, (x, e) => Math.abs(x - exact[e])) ?? Number.NaN;
