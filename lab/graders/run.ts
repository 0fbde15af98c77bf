import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { type Grade, type GradeOptions, grade, type PreparedProducts } from './grade.ts';
import type { Grader } from './grader.ts';
import { mends } from './mends.ts';

/** Grades a kernel by all products of a grader's default run. */
export const graded = (
  grader: Grader,
  kernel: FunctionKernel,
  options: GradeOptions,
  kept?: PreparedProducts,
): Promise<Grade> => grade(grader, grader.asks(kernelOf(kernel)), kernel, options, kept);

/** Tries each single change of a grader on a kernel that the grader has passed, one after the other. */
export async function mended(
  grader: Grader,
  kernel: FunctionKernel,
  options: GradeOptions,
  kept?: PreparedProducts,
): Promise<Readonly<Record<string, Omit<Grade, 'why'>>>> {
  const said = new Map<string, Omit<Grade, 'why'>>();
  for (const mend of mends.items) {
    const { grader: other, asks } = mend.of(grader, grader.asks(kernelOf(kernel)));
    const { caught, products, work } = await grade(other, asks, kernel, options, kept);
    said.set(mend.name, { caught, products, work });
  }
  return Object.fromEntries(said);
}

const kernelOf = ({ precision = 'f32' }: FunctionKernel) => ({ precision });
