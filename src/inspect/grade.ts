import { canGrade, classicalError } from '../evidence/grade.ts';
import {
  gradedSizes,
  gradeMultiplication,
  type KernelGrade,
  type Multiplication,
  multiplicationOf,
} from '../evidence/grade-kernel.ts';
import { wholeReference } from '../evidence/whole-reference.ts';
import type { Claims } from '../kernels/claims.ts';
import type { Kernel } from '../kernels/kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { applyClaims } from '../precision/precision.ts';
import type { FoundGrade, InspectionFinding } from './inspection.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** Time limit of one size, in seconds. */
const PATIENCE = { quick: 0.6, full: 1.5 };

/** Measurement of the grade of a kernel in the precision that it claims, as `toBeGrade` does: see {@link gradeMultiplication}. */
export const grade: InspectionQuestion = {
  id: 'grade',
  question: 'Which grade has its error bound: A (by entry), B (by row and column) or C (of the whole)?',
  async ask(context) {
    const { session, quick, measures, allSizes } = context;
    const { kernel } = session;
    const real: Multiplication = async (operands) => ({
      operands,
      outcomes: [{ c: await session.multiply(operands.a, operands.b) }],
      reference: wholeReference(operands),
    });
    if (kernel.precision.accumulated.unitRoundoff === 0)
      throw new SkippedQuestion('Sums that are exact have no errors to grade.');
    const { complex } = kernel;
    const multiply = complex === undefined ? real : multiplicationOf(complex);
    const patience = allSizes ? Number.POSITIVE_INFINITY : quick ? PATIENCE.quick : PATIENCE.full;
    const levels = measures.levels ?? 0;
    const graded = await gradeMultiplication(multiply, {
      kernel: complex ?? inFoundParts(context),
      shapes: shapesFor(context),
      levels,
      patience,
    });
    measures.grade = graded.grade;
    return [
      {
        answer: `${ANSWERS[graded.grade]}${narrowness(context, graded)}`,
        value: graded.grade,
        // The allowed error of recursion is unknown where its levels are unknown.
        confidence:
          measures.levels === undefined && graded.grade === 'none' ? 'likely' : confidenceIn(graded),
        evidence: evidenceOf(graded),
      },
    ];
  },
};

/** Returns the kernel with the sums of parts that were found, where it claims none: their rounding is no other algorithm. */
function inFoundParts({ session: { kernel }, measures }: InspectionContext): Kernel {
  const { parts, format, added } = measures.partialSums ?? {};
  if (format === undefined || kernel.claims?.partialSums !== undefined) return kernel;
  const { arithmetic } = kernel.claims ?? {};
  const claims: Claims = { arithmetic, order: 'split-k', parts, partialSums: { format, added } };
  return { ...kernel, ...applyClaims(kernel.precision, claims, kernel.arithmetic) };
}

/** Names a narrower width whose classical error bound holds for all errors; else an empty string. */
function narrowness({ session, measures }: InspectionContext, { grade, trials }: KernelGrade): string {
  const { kernel } = session;
  const { multiplied, accumulated } = kernel.precision;
  const { accumulatorBits = accumulated.precision } = measures;
  const { operandBits = multiplied.precision } = measures.operandBitsHidden === true ? {} : measures;
  const fewer = [
    { what: 'entries', bits: operandBits, full: multiplied.precision },
    { what: 'sums', bits: accumulatorBits, full: accumulated.precision },
  ].filter(({ bits, full }) => bits < full);
  if (grade === 'A' || fewer.length === 0) return '';
  const inFewer = (n: number) => 2 * 2 ** (1 - operandBits) + n * 2 ** (1 - accumulatorBits);
  const isSmall = trials.every(({ n, worst }) => worst.A.ratio * classicalError(kernel, n) <= inFewer(n));
  const words = fewer.map(({ what, bits }) => `${what} of ${bits} bits`).join(' and ');
  return isSmall ? ` in ${kernel.precision.name}; ${words} explain it, entry by entry` : '';
}

/**
 * Returns the confidence. An error above a bound proves a grade. If errors only grow fast, the kernel may have more precision than needed
 * at small sizes.
 */
function confidenceIn({ grade, trials, named }: KernelGrade): InspectionFinding['confidence'] {
  if (grade === 'A') return 'measured';
  const isBeyond = named !== 'classical in floating point' || trials.some((trial) => trial.grade !== 'A');
  return isBeyond ? 'proved' : 'likely';
}

/** Returns cubes, as `toBeGrade` uses them, or shapes that the kernel accepts if it accepts no cubes. @throws {@link SkippedQuestion} */
function shapesFor({ session, sizes, allSizes }: InspectionContext): readonly Shape[] {
  const { kernel } = session;
  const asked = allSizes ? sizes : gradedSizes;
  const cubes = asked.map((n) => ({ m: n, k: n, n })).filter((shape) => session.refuses(shape) === undefined);
  const shapes = [...(cubes.length > 0 ? cubes : [session.home(1)])].filter(({ k }) => canGrade(kernel, k));
  if (shapes.length > 0) return shapes;
  throw new SkippedQuestion(`${kernel.precision.name} cannot be graded at any size that the kernel accepts.`);
}

const ANSWERS: Readonly<Record<FoundGrade, string>> = {
  A: 'A: small entry by entry, whatever the scaling',
  B: 'B: small for the row and the column, as with one exponent for each',
  C: 'C: small for the whole matrix only, as in Strassen-like methods',
  none: 'none: larger than the whole matrix explains',
};

/** Describes how far the worst products are from the grade, and the results of the published tests. */
function evidenceOf({ trials, named, slope }: KernelGrade): string {
  const sizes = [...new Set(trials.map(({ n }) => n))].join(', ');
  const worst = (['A', 'B', 'C'] as const).map((each) => {
    const most = trials.reduce((x, y) => (y.worst[each].ratio > x.worst[each].ratio ? y : x));
    return `${short(most.worst[each].ratio)} of what ${each} allows (${most.operands}, n = ${most.n})`;
  });
  const growth = slope === undefined ? '' : `; they grow as n^${slope.toFixed(2)}`;
  return `n = ${sizes}: errors up to ${worst.join(', ')}${growth}; tests 2, 4 and 6 call it ${named}.`;
}

/** Writes a number with enough digits to distinguish it from 1. */
function short(x: number): string {
  if (x >= 1e4) return x.toExponential(1);
  const digits = [2, 3, 4].find((some) => x === 1 || Number(x.toPrecision(some)) !== 1);
  return x.toPrecision(digits ?? 5);
}
