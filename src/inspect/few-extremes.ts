import { exponentOf } from '../base/binary64.ts';
import type { InspectionFinding } from './inspection.ts';
import { formatPowers } from './numbers.ts';
import { hasSingleUnit, type OperandFormat } from './operand-format.ts';
import type { InspectionContext } from './question.ts';

/** The largest exponent of a factor. With it, products of elements stay within binary32. */
const FAR = 110;

/** Tests overflow of results where entries of few bits reach so far. The sums consist of the largest element alone. */
export async function overflowOfFew({ session }: InspectionContext): Promise<InspectionFinding[]> {
  const { m, k, n } = session.home(1);
  const { result } = session;
  // Whole numbers have a question of their own.
  if (hasSingleUnit(result)) return [];
  const about = { id: 'overflow', question: 'What do sums too large for C become?' };
  const made = (side: OperandFormat, rows: number, cols: number) =>
    session.coded(
      side.of,
      rows,
      cols,
      () => side.format.maxFinite,
      (_line, _place, level) => (level === 0 ? largestFactor(side) : 1),
    );
  const [left, right] = session.sides;
  const [a, b] = [made(left, m, k), made(right, k, n)];
  const exact = k * a.data[0] * b.data[0];
  if (!(exact > result.maxFinite)) {
    const evidence = `The largest sum of ${k} terms is ${formatPowers(exact)}, and ${result.name} holds ${formatPowers(result.maxFinite)}.`;
    return [{ ...about, answer: 'no tested value is', value: null, confidence: 'unknown', evidence }];
  }
  const { data } = await session.multiply(a, b);
  const [found] = data;
  return [
    {
      ...about,
      answer:
        found === Number.POSITIVE_INFINITY
          ? 'infinity'
          : Number.isNaN(found)
            ? 'NaN'
            : found === result.maxFinite
              ? 'the largest finite number'
              : 'something else',
      value: found === Number.POSITIVE_INFINITY,
      confidence: 'measured',
      evidence: `A sum of ${formatPowers(exact)} gave ${formatPowers(found)}.`,
    },
  ];
}

function largestFactor({ coding, format }: OperandFormat): number {
  if (coding === undefined) return 1;
  const most = exponentOf(coding.scales[0].format.maxFinite);
  return 2 ** Math.min(most, FAR - Math.max(0, exponentOf(format.maxFinite)));
}
