import type { Operand } from '../precision/coding/coding.ts';
import type { OperandNumber } from './made-operand.ts';
import { middleOf, type OperandFormat } from './operand-format.ts';
import type { InspectionQuestion, QuestionAnswer } from './question.ts';
import type { InspectionSession } from './session.ts';
import { formatPowers } from './terms.ts';

/** An entry beside which sums of binary64 lose a zero point, too. */
const HUGE = 2 ** 60;
/** Sums of products of zero points beside which binary32 loses 1. */
const LONG = 2 ** 26;

/** Test of zero points: subtracted from elements before they are multiplied, or from sums. */
export const zeroPoints: InspectionQuestion = {
  id: 'zero-points',
  question: 'Are zero points subtracted from elements, or from sums?',
  // The question measures how far a product is off.
  wrongProducts: 'own',
  async ask({ session, measures }) {
    const withZeros = session.sides.filter(({ coding }) => coding?.zero !== undefined);
    if (withZeros.length === 0) return [];
    const other = session.sides.find(({ coding }) => coding === undefined);
    const { answer, terms } =
      other === undefined ? await besideEachOther(session) : await besideHuge(session, other);
    if (answer === undefined) return [];
    const isOfSums = answer !== 1;
    measures.zeroPoints = isOfSums ? 'sums' : 'elements';
    const found: QuestionAnswer = {
      answer: isOfSums
        ? 'from sums, which lose what is small beside the zero points'
        : 'from elements, or from sums that lose nothing',
      value: isOfSums ? 'sums' : 'elements',
      confidence: 'measured',
      evidence: `${terms} gave ${formatPowers(answer)}, where 1 is exact.`,
    };
    return [found];
  },
};

/** Returns the middle of the elements as their zero point, whatever other questions use. */
const zeroOf = ({ coding }: OperandFormat): number =>
  coding?.zero === undefined ? 0 : middleOf(coding.element);

const made = (session: InspectionSession, of: Operand, rows: number, cols: number, element: OperandNumber) =>
  session.codedFrom(zeroOf(session.side(of)), of, rows, cols, element);

interface Told {
  readonly answer: number | undefined;
  readonly terms: string;
}

/** Tests weights that alone have zero points: a huge entry meets an element that is its zero point. */
async function besideHuge(session: InspectionSession, plain: OperandFormat): Promise<Told> {
  const { m, k, n } = session.home(2);
  const element = (of: Operand) => (line: number, place: number) => {
    if (line > 0 || place > 1) return 0;
    if (of === plain.of) return place === 0 ? HUGE : 1;
    return place;
  };
  const c = await session.multiply(
    made(session, 'a', m, k, element('a')),
    made(session, 'b', k, n, element('b')),
  );
  return {
    answer: c.data[0],
    terms: `${formatPowers(HUGE)} by an element that is its zero point, and 1 by the next one,`,
  };
}

/** Tests zero points of both operands: a long sum of elements that are zero points, and one product of the next elements. */
async function besideEachOther(session: InspectionSession): Promise<Told> {
  const [left, right] = session.sides.map(zeroOf);
  const k = session.taken(LONG / (left * right));
  if (k === undefined) return { answer: undefined, terms: '' };
  const { m, n } = session.home(k, true);
  const element = (line: number, place: number) => (line === 0 && place === k - 1 ? 1 : 0);
  const c = await session.multiply(made(session, 'a', m, k, element), made(session, 'b', k, n, element));
  return {
    answer: c.data[0],
    terms: `${k - 1} products of elements that are zero points, and one of the next ones,`,
  };
}
