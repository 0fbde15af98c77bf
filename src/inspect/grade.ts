import { type Allowance, type GradedProduct, gradeProduct, worseGrade } from '../evidence/grade.ts';
import { wholeReference } from '../evidence/reference.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Grade } from './inspection.ts';
import type { Context, Question } from './question.ts';

/**
 * The grade of a kernel, after J. Demmel's classes of matrix multiplication: A keeps |C − AB| ≤ c·u·|A||B| entry by entry,
 * as any classical product in floating point does; B |C − AB|(i, j) ≤ c·u·k·max|A(i, :)|·max|B(:, j)|, as one does whose
 * rows and columns have one exponent each; C the same with the largest entries of all of A and of B, as Strassen-like
 * ones do. Rows of A far apart tell C from B, inner indices far apart B from A.
 */
export const grade: Question = {
  id: 'grade',
  question: 'Which error bound does it keep: by entry (A), by row and column (B), of the whole (C)?',
  async ask(context) {
    const { session, random, measured } = context;
    const { m, k, n } = session.home(1);
    const reach = measured.wideExponents === true ? 20 : 5;
    const bits = Math.min(
      measured.operandBits ?? 53,
      measured.accumulatorBits ?? 53,
      measured.storedBits ?? 53,
    );
    const u = 2 ** -bits;
    const draw = () => random.sign() * random.uniform(0.5, 1);
    const inner = Array.from({ length: k }, () => 2 ** random.int(-reach, reach));
    // Products, sums and results may each round to the bits that were found.
    const terms = k + 4;
    const allowance = { A: terms * u, B: k * terms * u, C: RECURSION * k * terms * u, underflow: 0 };
    const outer = await graded(
      context,
      session.matrix(m, k, (i) => draw() * 2 ** (i < m / 2 ? -reach : reach)),
      session.matrix(k, n, draw),
      allowance,
    );
    const across = await graded(
      context,
      session.matrix(m, k, (_, p) => draw() * inner[p]),
      session.matrix(k, n, (p) => draw() / inner[p]),
      allowance,
    );
    const found = worseGrade(outer.grade, across.grade);
    const inUnits = ({ worst }: GradedProduct, by: 'A' | 'B') => short(worst[by].ratio * terms);
    measured.grade = found;
    return [
      {
        answer: ANSWERS[found],
        value: found,
        confidence: found === 'A' ? 'measured' : 'proved',
        evidence: `${m}×${k}×${n}, u = 2^-${bits}: errors up to ${inUnits(outer, 'A')} u|A||B| with rows 2^${2 * reach} apart, ${inUnits(across, 'A')} with inner indices 2^${2 * reach} apart (${inUnits(across, 'B')} by row and column).`,
      },
    ];
  },
};

const ANSWERS: Readonly<Record<Grade, string>> = {
  A: 'A: small entry by entry, whatever the scaling',
  B: 'B: small for the row and the column, as with one exponent for each',
  C: 'C: small for the whole matrix only, as in Strassen-like methods',
  none: 'none: larger than the whole matrix explains',
};

/** Some levels of a fast method multiply the bound of a classical one by 12 to 18 each. */
const RECURSION = 18 ** 3;

async function graded(
  { session }: Context,
  a: Matrix,
  b: Matrix,
  allowance: Allowance,
): Promise<GradedProduct> {
  const c = await session.multiply(a, b);
  return gradeProduct(
    { operands: { a, b }, outcomes: [{ c }], reference: wholeReference({ a, b }) },
    allowance,
  );
}

const short = (x: number): string => (x >= 1e4 ? x.toExponential(1) : x.toPrecision(2));
