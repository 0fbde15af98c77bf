import { ParanoiaError } from '../base/errors.ts';
import { unknownName } from '../base/messages.ts';
import { type Grade, grades, reachesGrade } from '../evidence/grade.ts';
import { kernelIn } from './gate.ts';
import { gradeMessage } from './message.ts';
import type { GradedKernels, GradeOptions } from './node/grade-kernels.ts';
import { commandOf, type MatcherResult, type MatcherState, undecided } from './state.ts';

/**
 * Implements `await expect(kernel).toBeGrade('A')`. It passes if the errors of a kernel meet the bound of grade A, B or C, or a
 * better one. Grade A bounds them entry by entry, as for every classical product. B bounds them by row of A and column of B, as
 * for fixed point with an exponent a row. C bounds them by the largest entries of A and B, as for fast algorithms. A grade holds
 * for the tried sizes: if an implementation recurses only from a larger size on, `sizes` must go beyond it.
 */
export async function toBeGrade(
  this: MatcherState,
  received: unknown,
  wanted: Grade,
  options: GradeOptions = {},
): Promise<MatcherResult> {
  const { gradeKernels } = await import('./node/grade-kernels.ts');
  let graded: GradedKernels;
  try {
    if (!grades.includes(wanted)) {
      throw unknownName({ what: 'grade', given: String(wanted), known: grades });
    }
    graded = await gradeKernels(kernelIn(received), options);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    return undecided(this, () => error.message);
  }
  return {
    pass: reachesGrade(graded.grade, wanted),
    message: () => gradeMessage(graded, wanted, commandOf(this)),
  };
}
