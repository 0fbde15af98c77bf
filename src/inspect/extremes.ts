import { exponentOf } from '../base/binary64.ts';
import type { InspectionFinding } from './inspection.ts';
import { hasSingleUnit, type OperandFormat } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { type DotTerm, everyOrder, formatPowers, makeDot, negateTerm, powerOfTwoTerm } from './terms.ts';

/** The largest exponent of a factor. With it, products of elements stay within binary32. */
const FAR = 110;

/** Tests overflow of results where entries of few bits reach so far. The sums consist of the largest element alone. */
async function overflowOfFew({ session }: InspectionContext): Promise<InspectionFinding[]> {
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

/** Tests both ends of the range: subnormal numbers, and numbers beyond the largest. */
export const extremes: InspectionQuestion = {
  id: 'extremes',
  question: 'Subnormal numbers and overflow',
  wrongProducts: 'subject',
  async ask(context) {
    // The values of subnormal elements are tested with all other elements.
    if (context.session.isFew) return overflowOfFew(context);
    return [...(await subnormals(context)), ...(await overflow(context))];
  },
};

async function subnormals(context: InspectionContext): Promise<InspectionFinding[]> {
  return [await subnormalOperands(context), await subnormalResults(context)];
}

async function subnormalOperands({ session, measures }: InspectionContext): Promise<InspectionFinding> {
  const about = { id: 'subnormal-operands', question: 'Are subnormal entries of A and B kept?' };
  const { a, multiplied } = session.kernel.precision;
  if (measures.wideExponents === false && multiplied.minNormal < 2 ** -40) {
    const evidence = 'Entries from 2^-40 to 2^40 are not multiplied as they are.';
    return { ...about, answer: 'cannot be told', value: null, confidence: 'unknown', evidence };
  }
  // Where entries are rounded to a narrower format, its limits apply.
  const { minNormal, minSubnormal, maxFinite } = a.round(multiplied.minSubnormal) === 0 ? a : multiplied;
  const small = minNormal / 2;
  // The factor keeps every product normal: another question tests subnormal products.
  const up = Math.min(2 ** 100, 2 ** Math.floor(Math.log2(maxFinite)));
  const [first, second, third] = await session.dots([
    makeDot([small, up]),
    makeDot([up, small]),
    makeDot([minSubnormal, up]),
  ]);
  const isLargestKept = first === small * up && second === small * up;
  const kept = isLargestKept && third === minSubnormal * up;
  const evidence = `${formatPowers(small)}·${formatPowers(up)} gave ${formatPowers(first)}, with the factors swapped ${formatPowers(second)}; ${formatPowers(minSubnormal)}·${formatPowers(up)} gave ${formatPowers(third)}.`;
  const { operandBits: bits = 0 } = measures;
  if (isLargestKept && !kept && bits < multiplied.precision) {
    const answer = `cannot be told: ${formatPowers(small)} is kept, smaller ones may be lost as entries are rounded to ${bits} bits`;
    return { ...about, answer, value: null, confidence: 'unknown', evidence };
  }
  measures.flushesOperands = !kept;
  return {
    ...about,
    answer: kept ? 'kept' : first === 0 && second === 0 ? 'flushed to zero' : 'some are lost',
    value: kept,
    confidence: 'measured',
    evidence,
  };
}

async function subnormalResults({ session, measures }: InspectionContext): Promise<InspectionFinding> {
  const about = { id: 'subnormal-results', question: 'Are subnormal results kept?' };
  const { a, multiplied } = session.kernel.precision;
  const least = Math.floor(Math.log2(session.result.minNormal));
  if (2 ** Math.floor((least - 2) / 2) < Math.max(a.minNormal, multiplied.minNormal)) {
    const evidence = `No product of two entries of ${multiplied.name} is subnormal.`;
    return { ...about, answer: 'no tested value is', value: null, confidence: 'unknown', evidence };
  }
  const expected = 2 ** (least - 2);
  // The sum of two normal products tests the sum alone.
  const [product, sum] = await session.dots([
    makeDot(powerOfTwoTerm(least - 2)),
    makeDot(powerOfTwoTerm(least, 1.25), negateTerm(powerOfTwoTerm(least))),
  ]);
  const [ofProduct, ofSum] = [product, sum].map((found) =>
    found === expected ? 'kept' : found === 0 ? 'flushed to zero' : 'changed',
  );
  const kept = ofProduct === 'kept' && ofSum === 'kept';
  measures.flushesResults = !kept;
  return {
    ...about,
    answer: ofProduct === ofSum ? ofProduct : `products are ${ofProduct}, sums of larger ones ${ofSum}`,
    value: kept,
    confidence: 'measured',
    evidence: `A product of ${formatPowers(expected)} came out as ${formatPowers(product)}, a sum of two normal products as ${formatPowers(sum)}.`,
  };
}

async function overflow({ session, measures }: InspectionContext): Promise<InspectionFinding[]> {
  const { maxFinite } = session.stored;
  const top = 2 ** Math.floor(Math.log2(maxFinite));
  const half = 2 ** Math.floor(Math.log2(top) / 2);
  const huge: DotTerm = [top / half, half];
  const [above, below, ...back] = await session.dots([
    makeDot([top, 2]),
    makeDot([-top, 2]),
    // In some of these orders the first two terms meet first, whatever the order of the sum.
    ...everyOrder([huge, huge, negateTerm(huge)]),
    ...everyOrder([negateTerm(huge), negateTerm(huge), huge]),
  ]);
  const infinite = above === Number.POSITIVE_INFINITY && below === Number.NEGATIVE_INFINITY;
  const gone = back.filter((x) => Math.abs(x) !== top);
  const wider = gone.length === 0;
  return [
    {
      id: 'overflow',
      question: 'What do products too large for C become?',
      answer: infinite
        ? 'infinity'
        : above === maxFinite && below === -maxFinite
          ? 'the largest finite number'
          : 'something else',
      value: infinite,
      confidence: 'measured',
      evidence: `${formatPowers(top)}·2 gave ${formatPowers(above)}, ${formatPowers(-top)}·2 gave ${formatPowers(below)}.`,
    },
    {
      id: 'sum-range',
      question: 'May a sum go beyond the range of C and come back?',
      answer: wider ? 'yes: sums have a wider range, or are ordered to stay within' : 'no',
      value: wider,
      // In some orders no partial sum leaves the range.
      confidence: wider
        ? (measures.accumulatorBits ?? 0) > session.stored.precision
          ? 'measured'
          : 'likely'
        : 'measured',
      evidence: `${formatPowers(top)} + ${formatPowers(top)} − ${formatPowers(top)} gave ${formatPowers(gone[0] ?? top)}${wider ? ' in every order of the terms' : ' in some order of the terms'}.`,
    },
  ];
}
