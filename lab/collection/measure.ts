import { deviation, mean } from 'd3-array';
import jStat from 'jstat';
import { type Algorithm, type BlockGrid, countLevelsWithin } from '../../src/algorithms/algorithm.ts';
import { catchParanoiaError, ParanoiaError } from '../../src/base/errors.ts';
import { registryOf } from '../../src/base/registry.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import type { ReachedGrade } from '../../src/evidence/grade.ts';
import { gradeKernel } from '../../src/evidence/grade-kernel.ts';
import { brief } from '../../src/evidence/reference.ts';
import type { ErrorMeasures } from '../../src/evidence/tally.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import type { Kernel } from '../../src/kernels/kernel.ts';
import { modelKernel } from '../../src/kernels/model-kernel.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { singleComputation } from '../../src/precision/single.ts';
import { caseOf } from '../../src/problem/case.ts';

/** Options of measuring every table with dyadic factors. */
export interface MeasureOptions {
  /** Sizes n: each dimension is the multiple of its blocks nearest to n. */
  readonly sizes: readonly number[];
  readonly inputs: readonly string[];
  /** The most levels. */
  readonly levels: number;
  /** The number of random pairs of operands, with seeds 1, 2, …; at least two, for an interval. */
  readonly replicates: number;
}

/** The default measurements of a report. */
export const defaultMeasures: MeasureOptions = {
  sizes: [48, 96],
  inputs: ['uniform', 'uniform-0-1', 'normal', 'scaled-rows'],
  levels: 3,
  replicates: 6,
};

/** The most multiplications of a product, and the most block products of its recursion. */
const [MOST_WORK, MOST_PRODUCTS] = [2 ** 22, 8_000];

/** A mean over replicates, with the 95 % interval of Student's t. */
export interface MeanInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Errors of one shape and family in binary32, and relative to the classical product of the same operands. */
export interface MeasuredErrors {
  readonly levels: number;
  /** The requested size. */
  readonly size: number;
  readonly shape: Shape;
  readonly input: string;
  /** max |Ĉ − C| and mean |Ĉ − C|, in units of u·max|A|·max|B|: geometric means over the replicates. */
  readonly max: number;
  readonly mean: number;
  /** log2 of the ratio of the errors to those of the classical product: of the largest error, and of the mean error. */
  readonly lostAtMost: MeanInterval;
  readonly lostInMean: MeanInterval;
}

/** The sizes at which kernels are graded here. */
const GRADED = [16, 32, 64];

/**
 * Grades one level, as `inspect` does, at 16, 32 and 64.
 * @throws ParanoiaError of the plan
 */
export async function gradeOf(algorithm: Algorithm): Promise<ReachedGrade> {
  const { grade } = await gradeKernel(modelOf(algorithm), { sizes: GRADED });
  return grade;
}

/**
 * Measures an algorithm by its bit-exact model: the steps of its plan in binary32 on this processor, to nearest, without fused
 * operations, which devices equal bit for bit. Products that would take too long are left out, and so are plans with too many
 * steps.
 */
export async function measureErrors(
  algorithm: Algorithm,
  options: MeasureOptions,
): Promise<MeasuredErrors[]> {
  const found: MeasuredErrors[] = [];
  const kernel = modelOf(algorithm);
  const most = Math.min(options.levels, countLevelsWithin(algorithm, MOST_PRODUCTS));
  for (let levels = 1; levels <= most; levels++) {
    for (const { size, shape } of shapesOf(algorithm.base, levels, options.sizes)) {
      if (
        catchParanoiaError(() => kernel.plan(shape, { levels, fringe: 'pad', tail: 'mask' })) instanceof
        ParanoiaError
      )
        continue;
      for (const input of options.inputs)
        found.push({
          levels,
          size,
          shape,
          input,
          ...(await compared(kernel, { levels, shape, input }, options)),
        });
    }
  }
  return found;
}

/** Shapes that the levels divide, the nearest to each size, without repetitions and too large ones. */
export function shapesOf(
  base: BlockGrid,
  levels: number,
  sizes: readonly number[],
): { size: number; shape: Shape }[] {
  const near = (size: number, parts: number) =>
    Math.max(1, Math.round(size / parts ** levels)) * parts ** levels;
  const all = sizes.map((size) => ({
    size,
    shape: { m: near(size, base.m), k: near(size, base.k), n: near(size, base.n) },
  }));
  const texts = all.map(({ shape }) => JSON.stringify(shape));
  return all.filter(
    ({ shape: { m, k, n } }, at) => texts.indexOf(texts[at]) === at && m * k * n <= MOST_WORK,
  );
}

const modelOf = (algorithm: Algorithm): Kernel =>
  modelKernel(algorithm.name, singleComputation(emulated), registryOf('algorithm', [algorithm]));

/** Compares products with levels and without, on the same operands. */
async function compared(
  kernel: Kernel,
  { levels, shape, input }: { levels: number; shape: Shape; input: string },
  { replicates }: MeasureOptions,
) {
  const evaluator = new Evaluator(exactProduct, { effort: brief, kept: 1 });
  const measured = async (seed: number, depth: number) => {
    const value = caseOf({ kernel: kernel.name, ...shape, input, seed, levels: depth });
    return (await evaluator.evaluate(await evaluator.prepare(value, kernel))).errors.exact;
  };
  const pairs: { fast: ErrorMeasures; classical: ErrorMeasures }[] = [];
  for (let seed = 1; seed <= replicates; seed++)
    pairs.push({ classical: await measured(seed, 0), fast: await measured(seed, levels) });
  const lost = (of: 'max' | 'mean') =>
    pairs.map(({ fast, classical }) => Math.log2(fast[of] / classical[of]));
  // One unit for both, so that means and maxima are comparable.
  const units = pairs.map(({ fast }) => fast.normwise / fast.max);
  const geometric = (of: 'max' | 'mean') =>
    2 ** (mean(pairs, ({ fast }, at) => Math.log2(fast[of] * units[at])) ?? Number.NaN);
  return {
    max: geometric('max'),
    mean: geometric('mean'),
    lostAtMost: intervalOf(lost('max')),
    lostInMean: intervalOf(lost('mean')),
  };
}

/** The mean of at least two values, with its 95 % confidence interval. */
export function intervalOf(values: readonly number[]): MeanInterval {
  const center = mean(values) ?? Number.NaN;
  const half =
    (jStat.studentt.inv(0.975, values.length - 1) * (deviation(values) ?? Number.NaN)) /
    Math.sqrt(values.length);
  return { mean: center, low: center - half, high: center + half };
}
