import { ParanoiaError } from '../base/errors.ts';
import { unknownName } from '../base/messages.ts';
import { type Grade, grades, reaches } from '../evidence/grade.ts';
import { kernelIn } from './gate.ts';
import { gradeMessage } from './message.ts';
import type { GradedKernels, GradeOptions } from './node/grade-kernels.ts';
import { commandOf, type MatcherResult, type MatcherState, undecided } from './state.ts';

/**
 * `await expect(kernel).toBeGrade('A')`: whether the errors of a kernel are bounded as grade A, B or C asks, or better.
 * A: entry by entry, as every classical product's are; B: by row of A and column of B, as those of fixed point with an
 * exponent a row are; C: by the largest entries of A and B, as those of fast algorithms are. A grade holds for the sizes
 * tried: an implementation that recurses from a larger size on needs `sizes` beyond it.
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
    pass: reaches(graded.grade, wanted),
    message: () => gradeMessage(graded, wanted, commandOf(this)),
  };
}
