import { exponentOf } from '../base/binary64.ts';
import { formatPowers } from './numbers.ts';
import type { OperandFormat } from './operand-format.ts';
import type { InspectionContext, QuestionAnswer } from './question.ts';

/** A product of two numbers that fits into binary32, although an intermediate result may not. */
interface Range {
  readonly what: 'sums' | 'sums, A first' | 'sums, B first' | 'f16';
  readonly words: string;
  /** Exponents of elements and factors. */
  readonly a: readonly [element: number, factor: number];
  readonly b: readonly [element: number, factor: number];
}

/** The largest exponent of binary32. */
const TOP = 127;

const topOf = ({ format }: OperandFormat): number => exponentOf(format.maxFinite);

/**
 * Returns the probes for factors that are powers of two. Such factors round nothing, so that only the range of numbers shows where they are
 * applied. Each probe's product fits into binary32, but one order of multiplication has an intermediate result that does not.
 */
function ranges([left, right]: readonly [OperandFormat, OperandFormat]): Range[] {
  const [x, y] = [topOf(left), topOf(right)];
  const low = -1;
  return [
    {
      what: 'sums',
      words: 'by the product of both factors',
      a: [low, TOP / 2 + 0.5],
      b: [low, TOP / 2 + 0.5],
    },
    {
      what: 'sums, A first',
      words: 'by the factor of A, then by that of B',
      a: [x, TOP - x],
      b: [y, x - TOP],
    },
    {
      what: 'sums, B first',
      words: 'by the factor of B, then by that of A',
      a: [x, y - TOP],
      b: [y, TOP - y],
    },
    { what: 'f16', words: 'as elements of f16', a: [0, 20], b: [0, -20] },
  ];
}

/** Finds where factors that are powers of two are applied, as far as the range shows it. */
export async function factorRange({ session, measures }: InspectionContext): Promise<QuestionAnswer> {
  const { m, k, n } = session.home(1);
  // An operand without factors holds the power of two itself.
  const alone = (of: 'a' | 'b', factor: number) => (session.side(of).coding === undefined ? factor : 0);
  const lost: Range[] = [];
  const asked: string[] = [];
  for (const range of ranges(session.sides)) {
    const { a, b } = range;
    const made = (of: 'a' | 'b', rows: number, cols: number, [element, factor]: readonly [number, number]) =>
      session.coded(
        of,
        rows,
        cols,
        (line, place) => (line === 0 && place === 0 ? 2 ** (element + alone(of, factor)) : 0),
        (line, place) => (line === 0 && place === 0 ? 2 ** factor : 1),
      );
    const { data } = await session.multiply(made('a', m, k, a), made('b', k, n, b));
    const expected = 2 ** (a[0] + a[1] + b[0] + b[1]);
    if (data[0] !== expected) lost.push(range);
    asked.push(`(2^${a[0]}·2^${a[1]})·(2^${b[0]}·2^${b[1]}) gave ${formatPowers(data[0])}`);
  }
  const evidence = `${asked.join('; ')}.`;
  if (lost.length === 0) {
    return {
      answer: 'cannot be told: powers of two round nothing, and no number on the way left its range',
      ...{ value: null, confidence: 'unknown', evidence },
    };
  }
  const kinds = lost.map(({ what }) => what);
  if (kinds.includes('f16') && kinds.length > 1)
    return { answer: 'in no way that is known', value: null, confidence: 'unknown', evidence };
  const [{ what, words }] = lost;
  if (what === 'f16') {
    measures.factors = 'elements';
    return { answer: `to elements, ${words}`, value: 'elements', confidence: 'likely', evidence };
  }
  measures.factors = 'sums';
  return {
    answer: `to products or sums of them, ${words}`,
    ...{ value: 'sums', confidence: 'measured', evidence },
  };
}
