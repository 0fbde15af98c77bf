import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { checkImprovements } from './check-improvements.ts';
import { type GraderOptions, type GraderVerdict, gradeByProducts, type PreparedProducts } from './grade.ts';
import type { Grader } from './grader.ts';

/** Grades a kernel by all products of a grader's default run. */
export const gradeKernelByGrader = (
  grader: Grader,
  kernel: FunctionKernel,
  options: GraderOptions,
  kept?: PreparedProducts,
): Promise<GraderVerdict> => gradeByProducts(grader, grader.asks(kernelOf(kernel)), kernel, options, kept);

/** Tries each single change of a grader on a kernel that the grader has passed, one after the other. */
export async function tryImprovements(
  grader: Grader,
  kernel: FunctionKernel,
  options: GraderOptions,
  kept?: PreparedProducts,
): Promise<Readonly<Record<string, Omit<GraderVerdict, 'why'>>>> {
  const said = new Map<string, Omit<GraderVerdict, 'why'>>();
  for (const mend of checkImprovements.items) {
    const { grader: other, asks } = mend.of(grader, grader.asks(kernelOf(kernel)));
    const { caught, products, work } = await gradeByProducts(other, asks, kernel, options, kept);
    said.set(mend.name, { caught, products, work });
  }
  return Object.fromEntries(said);
}

const kernelOf = ({ precision = 'f32' }: FunctionKernel) => ({ precision });
