import { precisions } from '../formats/precision.ts';
import type { Kernel, Manner } from '../kernel/kernel.ts';
import { problem } from '../problems.ts';
import { exactProduct } from '../reference/exact.ts';
import { classicalError, type GradedProduct, gradeProduct, type Reached, worseGrade } from './grade.ts';
import { gradingOperands, makeOperands } from './grading-operands.ts';

/** How a kernel is graded. */
export interface GradingOptions {
  /** Sizes n of n×n×n. @defaultValue those of 16, 32, 64 and 128 that the kernel multiplies and the precision can be graded at */
  readonly sizes?: readonly number[] | undefined;
  /** @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Levels, border and edge of a built-in kernel. @defaultValue a level for fast algorithms, padded */
  readonly manner?: Partial<Manner> | undefined;
}

/** The grade of one of the products. */
export interface GradedTrial extends GradedProduct {
  /** The operands, by name. */
  readonly operands: string;
  readonly n: number;
}

/** The grade of a kernel: the worst of its products'. */
export interface KernelGrade {
  readonly grade: Reached;
  readonly trials: readonly GradedTrial[];
}

const SIZES = [16, 32, 64, 128];

/**
 * Grades a kernel on operands that tell. A grade is a property of the sizes tried: an implementation that recurses only
 * from a larger size on shows it only there.
 * @throws Problem `kernel-refuses` where it multiplies none of the sizes; `bad-number` for a size at which even C would
 * allow errors as large as C; what the kernel throws.
 */
export async function gradeKernel(kernel: Kernel, options: GradingOptions = {}): Promise<KernelGrade> {
  const { seed = 1, manner } = options;
  const { arithmetic, algorithm } = kernel;
  const precision = precisions[arithmetic.precision];
  const full: Manner = { levels: algorithm === 'classical' ? 0 : 1, border: 'pad', edge: 'guard', ...manner };
  const trials: GradedTrial[] = [];
  for (const n of sizesFor(kernel, options.sizes)) {
    const plan = kernel.plan({ m: n, k: n, n }, full);
    for (const operands of gradingOperands) {
      const { a, b } = makeOperands(operands, n, { precision, seed });
      const { c } = await kernel.multiply(a, b, plan);
      const graded = gradeProduct({ a, b, c, exact: exactProduct(a, b), arithmetic });
      trials.push({ operands: operands.name, n, ...graded });
    }
  }
  const grade = trials.reduce<Reached>((worst, trial) => worseGrade(worst, trial.grade), 'A');
  return { grade, trials };
}

function sizesFor(kernel: Kernel, asked: readonly number[] | undefined): readonly number[] {
  const { arithmetic, name } = kernel;
  const refuses = (n: number) => kernel.refuses?.({ m: n, k: n, n });
  const telling = (n: number) => n * classicalError(arithmetic, n) <= LOOSEST;
  const wrong = asked?.find((n) => !Number.isInteger(n) || n < 1 || !telling(n));
  if (wrong !== undefined) {
    const most = SIZES.findLast(telling) ?? 1;
    const need = `a whole number from 1, at which ${precisions[arithmetic.precision].title} can be graded, such as ${most}`;
    throw problem('bad-number', { what: 'A size to grade at', given: wrong, need });
  }
  const sizes = asked ?? SIZES.filter((n) => telling(n) && refuses(n) === undefined);
  if (sizes.length > 0) return sizes;
  const why = refuses(SIZES[0]) ?? 'no size was given';
  throw problem('kernel-refuses', {
    kernel: name,
    shape: SIZES.map((n) => `${n}×${n}×${n}`).join(', '),
    why,
  });
}

/** What C may allow, in units of max|A|·max|B|: above, a result of zeros might reach it. */
const LOOSEST = 0.5;
