import { badNumber } from '../base/messages.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Method } from '../problem/method.ts';
import { withFaintParts } from './complex-pair.ts';
import { Evaluator } from './evaluate.ts';
import {
  allowanceOf,
  canGrade,
  classicalError,
  type GradedProduct,
  type GradingEvidence,
  gradeProduct,
  type ReachedGrade,
  worseGrade,
} from './grade.ts';
import { type GradingFamily, gradingOperands, makeOperands } from './grading-operands.ts';
import { fitPowerGrowth } from './growth.ts';
import { thorough } from './reference.ts';

export interface GradingOptions {
  /**
   * Sizes n of n×n×n.
   * @defaultValue those of 16, 32 … 1024 that the kernel multiplies and at which the precision can be graded, up to the one after which
   * the next is likely to take longer than `patience`
   */
  readonly sizes?: readonly number[] | undefined;
  /** Seconds that one size may take, where `sizes` is left out. @defaultValue 1.5 */
  readonly patience?: number | undefined;
  /** @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Levels, fringe and tail of a built-in kernel. @defaultValue one level for fast algorithms, padded */
  readonly method?: Partial<Method> | undefined;
}

export interface GradedTrial extends GradedProduct {
  readonly family: GradingFamily;
  readonly operands: string;
  readonly n: number;
  /** The largest error, in units of the tolerance, of the entries that a published test inspects. */
  readonly excess?: number | undefined;
}

/** The grade of a kernel: the worst of its products'. It is not A where errors grow too fast or a test names another algorithm. */
export interface KernelGrade {
  readonly grade: ReachedGrade;
  readonly trials: readonly GradedTrial[];
  /** The algorithm that tests 2, 4 and 6 identify, at the size at which most of them fail. */
  readonly named: NamedAlgorithm;
  /** Slope of log2 of the largest error, in units of u|A||B|, on log2 n, for entries uniform on [0, 1); undefined below three sizes. */
  readonly slope?: number | undefined;
}

/** Multiplies A by B and returns the product with its reference. */
export type Multiplication = (operands: { a: Matrix; b: Matrix }) => Promise<GradingEvidence>;

/** Default sizes for grading: those of NVIDIA's programs. */
export const gradedSizes = [16, 32, 64, 128, 256, 512, 1024];
/**
 * The largest size of the published tests. Above it they tell nothing new but cost exact products of far exponents, so only the growth of
 * errors is measured.
 */
const LARGEST_TESTED = 64;

/**
 * Grades a kernel on operands that reveal its algorithm. A grade is a property of the sizes tried: an implementation that recurses only
 * from a larger size on shows it only there.
 * @throws ParanoiaError `kernel-refuses` where it multiplies none of the sizes; `bad-number` for a size at which even C would allow errors
 * as large as C; any error that the kernel throws.
 */
export async function gradeKernel(kernel: Kernel, options: GradingOptions = {}): Promise<KernelGrade> {
  const method = fullMethod(kernel, options.method);
  const multiply = multiplicationOf(kernel, method);
  const shapes = sizesFor(kernel, options.sizes).map((n) => ({ m: n, k: n, n }));
  const patience = options.sizes === undefined ? (options.patience ?? 1.5) : Number.POSITIVE_INFINITY;
  return gradeMultiplication(multiply, { ...options, kernel, shapes, patience, levels: method.levels });
}

/** Returns the multiplication of a kernel for grading; a complex kernel multiplies the matrices of {@link withFaintParts}. */
export function multiplicationOf(kernel: Kernel, method = fullMethod(kernel, undefined)): Multiplication {
  const evaluator = new Evaluator(exactProduct, { effort: { ...thorough, analysis: 0, timed: true } });
  return ({ a, b }) => {
    const factors = kernel.precision.complex === true ? withFaintParts(kernel, a, b) : { operands: { a, b } };
    const { operands } = factors;
    const plan = kernel.plan({ m: operands.a.rows, k: operands.a.cols, n: b.cols }, method);
    return evaluator.evaluate({ kernel, plan, ...factors });
  };
}

/** A grading task: the claims of a kernel, and the shapes of the products. */
interface GradingTask {
  readonly kernel: Kernel;
  readonly shapes: readonly Shape[];
  /** Levels of recursion that the kernel claims, or that were detected. */
  readonly levels: number;
  /** Seconds that one shape may take. */
  readonly patience: number;
  readonly seed?: number | undefined;
}

/** Grades any multiplication. Only here are grades given to more than one product. @throws any error that `multiply` throws */
export async function gradeMultiplication(multiply: Multiplication, task: GradingTask): Promise<KernelGrade> {
  const { kernel, shapes, levels, seed = 1, patience } = task;
  const trials: GradedTrial[] = [];
  for (const shape of shapes) {
    let seconds = 0;
    const { k, n } = shape;
    const isComplex = kernel.precision.complex === true;
    const allowance = allowanceOf(kernel, isComplex ? 2 * k : k, levels);
    const block = levels === 0 ? 16 : Math.max(1, Math.floor(k / 2 ** levels));
    // Published tests are of real entries.
    for (const family of isComplex ? UNIFORM : familiesAt(shape)) {
      const start = performance.now();
      const made = gradingOperands[family];
      const evidence = await multiply(
        makeOperands(made, shape, { precision: kernel.precision, seed, levels }),
      );
      const { value, low, size } = evidence.reference;
      const tested = { n, found: evidence.outcomes[0].c.data, value, low, size };
      const excess = excessOf(family, tested, { classical: allowance.A, block });
      trials.push({ family, operands: made.name, n, excess, ...gradeProduct(evidence, allowance) });
      if (family === 'uniform') seconds = (performance.now() - start) / 1000;
    }
    // The next size takes about eight times as long; small ones are mostly startup.
    if (seconds * (k < LARGEST_TESTED ? 1 : 8) > patience) break;
  }
  return concluded(trials, kernel);
}

const UNIFORM: readonly GradingFamily[] = ['uniform'];

function familiesAt({ m, k, n }: Shape): readonly GradingFamily[] {
  if (Math.max(m, k, n) > LARGEST_TESTED) return UNIFORM;
  return Object.keys(gradingOperands) as GradingFamily[];
}

function concluded(trials: readonly GradedTrial[], kernel: Kernel): KernelGrade {
  const excess = (family: GradingFamily) =>
    Math.max(0, ...trials.filter((trial) => trial.family === family).map((trial) => trial.excess ?? 0));
  const named = nameAlgorithm({
    zeros: excess('zeros'),
    shifted: excess('shifted'),
    blocks: excess('blocks'),
  });
  const slope = slopeOf(trials, kernel);
  // Grades come from the largest error of all; A requires more than its bound.
  const isA = named === 'classical in floating point' && (slope === undefined || slope <= 1);
  const grade = trials.reduce<ReachedGrade>(
    (worst, trial) => worseGrade(worst, trial.grade),
    isA ? 'A' : 'B',
  );
  return { grade, trials, named, slope };
}

/**
 * Returns the slope of the largest componentwise error. Grade A requires at most linear growth, a slope of at most 1 on logarithmic scales
 * (CUDALibrarySamples, cuBLAS/Emulation/gemm_grading, grade_blas3.cpp, 2025, for n = 16 … 1024).
 */
function slopeOf(trials: readonly GradedTrial[], kernel: Kernel): number | undefined {
  const points = trials
    .filter(({ family }) => family === 'uniform')
    .map(({ n, worst }) => ({ x: n, error: worst.A.ratio * classicalError(kernel, n) }));
  const growth = fitPowerGrowth(points);
  return growth.fitted && growth.points >= LEAST_POINTS ? growth.slope : undefined;
}

const LEAST_POINTS = 3;

/** Completes the method with which a kernel is graded. */
function fullMethod({ algorithm }: Kernel, method: Partial<Method> | undefined): Method {
  return { levels: algorithm === 'classical' ? 0 : 1, fringe: 'pad', tail: 'mask', ...method };
}

/** Returns the sizes at which a kernel can be graded. @throws ParanoiaError `bad-number`, `kernel-refuses` */
function sizesFor(kernel: Kernel, asked: readonly number[] | undefined): readonly number[] {
  const { precision, name } = kernel;
  const refuses = (n: number) => kernel.refuses?.({ m: n, k: n, n });
  const telling = (n: number) => canGrade(kernel, n);
  const wrong = asked?.find((n) => !Number.isInteger(n) || n < 1 || !telling(n));
  if (wrong !== undefined) {
    const most = gradedSizes.findLast(telling) ?? 1;
    const need = `a whole number from 1, at which ${precision.name} can be graded, such as ${most}`;
    throw badNumber({ what: 'A size for grading', given: wrong, need });
  }
  const sizes = asked ?? gradedSizes.filter((n) => telling(n) && refuses(n) === undefined);
  if (sizes.length > 0) return sizes;
  const why = refuses(gradedSizes[0]) ?? 'no size was given';
  throw kernelRefuses({
    kernel: name,
    shape: gradedSizes.map((n) => `${n}×${n}×${n}`).join(', '),
    why,
  });
}

/** Names of algorithms in the published tests. */
const namedAlgorithms = [
  'classical in floating point',
  'classical in fixed point',
  'Strassen-like in floating point',
  'Strassen-like in fixed point',
] as const;
type NamedAlgorithm = (typeof namedAlgorithms)[number];

/** The result of each family: the largest error of the entries that its test inspects, in units of its tolerance. */
type Excesses = Readonly<Partial<Record<GradingFamily, number>>>;

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
interface TestedProduct {
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
