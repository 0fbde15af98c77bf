import { describeOperands, isRepresentable } from './operand-format.ts';
import { type InspectionContext, type InspectionQuestion, makeRefutableAnswer } from './question.ts';
import type { InspectionSession } from './session.ts';
import { type DotTerm, formatPowers, makeDot } from './terms.ts';
import { SkippedQuestion } from './wrong-product.ts';

const INFINITY = Number.POSITIVE_INFINITY;

/** Pairs of terms whose sum IEEE 754 defines. */
const CASES: readonly (readonly [words: string, expected: number, DotTerm, DotTerm])[] = [
  ['∞·1 + 1', INFINITY, [INFINITY, 1], [1, 1]],
  ['1·−∞ + 1', -INFINITY, [1, -INFINITY], [1, 1]],
  ['∞·0 + 1', Number.NaN, [INFINITY, 0], [1, 1]],
  ['0·∞ + 1', Number.NaN, [0, INFINITY], [1, 1]],
  ['∞ − ∞', Number.NaN, [INFINITY, 1], [-INFINITY, 1]],
  ['NaN·0 + 1', Number.NaN, [Number.NaN, 0], [1, 1]],
  ['1·NaN + 1', Number.NaN, [1, Number.NaN], [1, 1]],
];

/** Tests that infinities and NaN come out as IEEE 754 says, and stay in their own row and column. */
export const exceptions: InspectionQuestion = {
  id: 'exceptions',
  question: 'Are infinities and NaN where IEEE 754 puts them?',
  wrongProducts: 'own',
  async ask(context) {
    const { session, measures } = context;
    const classical = measures.algorithm === 'classical' || measures.algorithm === undefined;
    const wrong: { readonly words: string; readonly isOfInfinity: boolean }[] = [];
    const cases = CASES.filter(([, , ...terms]) => terms.every((term) => areHeld(term, session)));
    if (cases.length === 0)
      throw new SkippedQuestion(`${describeOperands(session.sides)} hold neither infinities nor NaN.`);
    for (const [words, expected, ...terms] of cases) {
      const [found] = await session.asTheyAre(session.home(terms.length), [makeDot(...terms)]);
      if (Object.is(found, expected)) continue;
      const isOfInfinity = Number.isNaN(found) && Math.abs(expected) === INFINITY;
      wrong.push({
        words: `${words} gave ${formatPowers(found)}, not ${formatPowers(expected)}`,
        isOfInfinity,
      });
    }
    const spread = await spreads(context);
    measures.exceptions = wrong.length === 0 && !spread;
    const isOnlyOfInfinities = wrong.length > 0 && !spread && wrong.every(({ isOfInfinity }) => isOfInfinity);
    if (isOnlyOfInfinities) measures.infinitiesBecomeNaN = true;
    const parts = [
      ...(wrong.length > 0 ? [isOnlyOfInfinities ? 'infinities become NaN' : 'not all of them'] : []),
      ...(spread ? ['entries of other rows become NaN too'] : []),
    ];
    const usual = classical || parts.length === 0 ? '' : ', as in any Strassen-like product';
    const answer = parts.length === 0 ? 'yes, and nowhere else' : `${parts.join('; ')}${usual}`;
    const evidence =
      wrong.length > 0
        ? `${wrong
            .slice(0, 2)
            .map(({ words }) => words)
            .join('; ')}${wrong.length > 2 ? `; ${wrong.length - 2} more` : ''}.`
        : `${cases.length} sums with an infinity or NaN, and a NaN in a row of A beside rows of ones.`;
    return [makeRefutableAnswer(measures.exceptions, answer, evidence)];
  },
};

const areHeld = (term: DotTerm, { sides }: InspectionSession): boolean =>
  term.every((x, of) => isRepresentable(x, sides[of]));

/** True if a NaN in one row of A reaches other rows. */
async function spreads({ session }: InspectionContext): Promise<boolean> {
  const { m, k, n } = session.home(1);
  if (m < 2 || !isRepresentable(Number.NaN, session.sides[0])) return false;
  const row = m - 1;
  const a = session.matrix('a', m, k, (i, p) => (i === row && p === 0 ? Number.NaN : 1));
  const { data } = await session.multiply(
    a,
    session.matrix('b', k, n, () => 1),
  );
  return data.subarray(0, row * n).some((x) => x !== k);
}
