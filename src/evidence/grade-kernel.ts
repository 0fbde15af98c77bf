import { badNumber } from '../base/messages.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { Method } from '../problem/method.ts';
import { Evaluator } from './evaluate.ts';
import {
  allowanceOf,
  classicalError,
  type GradedProduct,
  gradeProduct,
  type Reached,
  worseGrade,
} from './grade.ts';
import { gradingOperands, makeOperands } from './grading-operands.ts';
import { thorough } from './reference.ts';

/** How a kernel is graded. */
export interface GradingOptions {
  /** Sizes n of n×n×n. @defaultValue those of 16, 32, 64 and 128 that the kernel multiplies and the precision can be graded at */
  readonly sizes?: readonly number[] | undefined;
  /** @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Levels, fringe and tail of a built-in kernel. @defaultValue a level for fast algorithms, padded */
  readonly method?: Partial<Method> | undefined;
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
 * @throws ParanoiaError `kernel-refuses` where it multiplies none of the sizes; `bad-number` for a size at which even C would
 * allow errors as large as C; what the kernel throws.
 */
export async function gradeKernel(kernel: Kernel, options: GradingOptions = {}): Promise<KernelGrade> {
  const { seed = 1, method } = options;
  const { precision, algorithm } = kernel;
  const full: Method = { levels: algorithm === 'classical' ? 0 : 1, fringe: 'pad', tail: 'mask', ...method };
  const evaluator = new Evaluator(exactProduct, { effort: { ...thorough, analysis: 0, timed: true } });
  const trials: GradedTrial[] = [];
  for (const n of sizesFor(kernel, options.sizes)) {
    const plan = kernel.plan({ m: n, k: n, n }, full);
    for (const made of gradingOperands) {
      const operands = makeOperands(made, n, { precision, seed });
      const evidence = await evaluator.evaluate({ kernel, plan, operands });
      trials.push({ operands: made.name, n, ...gradeProduct(evidence, allowanceOf(kernel, n)) });
    }
  }
  const grade = trials.reduce<Reached>((worst, trial) => worseGrade(worst, trial.grade), 'A');
  return { grade, trials };
}

function sizesFor(kernel: Kernel, asked: readonly number[] | undefined): readonly number[] {
  const { precision, name } = kernel;
  const refuses = (n: number) => kernel.refuses?.({ m: n, k: n, n });
  const telling = (n: number) => n * classicalError(kernel, n) <= LOOSEST;
  const wrong = asked?.find((n) => !Number.isInteger(n) || n < 1 || !telling(n));
  if (wrong !== undefined) {
    const most = SIZES.findLast(telling) ?? 1;
    const need = `a whole number from 1, at which ${precision.name} can be graded, such as ${most}`;
    throw badNumber({ what: 'A size to grade at', given: wrong, need });
  }
  const sizes = asked ?? SIZES.filter((n) => telling(n) && refuses(n) === undefined);
  if (sizes.length > 0) return sizes;
  const why = refuses(SIZES[0]) ?? 'no size was given';
  throw kernelRefuses({
    kernel: name,
    shape: SIZES.map((n) => `${n}×${n}×${n}`).join(', '),
    why,
  });
}

/** What C may allow, in units of max|A|·max|B|: above, a result of zeros might reach it. */
const LOOSEST = 0.5;
