import { overflowOfFew } from './few-extremes.ts';
import type { Finding } from './inspection.ts';
import { show } from './numbers.ts';
import type { Context, Question } from './question.ts';
import { dot, negative, power, type Term } from './terms.ts';

/** What happens at both ends of the range: subnormal numbers, and numbers beyond the largest. */
export const extremes: Question = {
  id: 'extremes',
  question: 'What becomes of subnormal numbers and of overflow?',
  wrongProducts: 'subject',
  async ask(context) {
    // What subnormal elements are worth is asked of every element.
    if (context.session.isFew) return overflowOfFew(context);
    return [...(await subnormals(context)), ...(await overflow(context))];
  },
};

async function subnormals({ session, measured }: Context): Promise<Finding[]> {
  const { minNormal, minSubnormal, maxFinite } = session.stored;
  const small = minNormal / 2;
  const up = Math.min(2 ** 100, 2 ** Math.floor(Math.log2(maxFinite) / 2));
  const root = Math.floor(Math.log2(minNormal) / 2);
  const answers = await session.dots([
    dot([small, up]),
    dot([up, small]),
    dot([minSubnormal, up]),
    dot(power(2 * root - 2)),
    dot([2 ** (root - 1), 2 ** root], [2 ** (root - 1), 2 ** root]),
  ]);
  const kept = answers[0] === small * up && answers[1] === small * up && answers[2] === minSubnormal * up;
  const lost = answers[0] === 0 && answers[1] === 0;
  const expected = 2 ** (2 * root - 2);
  measured.flushesOperands = !kept;
  measured.flushesResults = answers[3] !== expected;
  return [
    {
      id: 'subnormal-operands',
      question: 'Are subnormal entries of A and B kept?',
      answer: kept ? 'kept' : lost ? 'flushed to zero' : 'some are lost',
      value: kept,
      confidence: 'measured',
      evidence: `${show(small)}·${show(up)} gave ${show(answers[0])}, the other way round ${show(answers[1])}; ${show(minSubnormal)}·${show(up)} gave ${show(answers[2])}.`,
    },
    {
      id: 'subnormal-results',
      question: 'Are subnormal results kept?',
      answer: answers[3] === expected ? 'kept' : answers[3] === 0 ? 'flushed to zero' : 'changed',
      value: answers[3] === expected,
      confidence: 'measured',
      evidence: `A product of ${show(expected)} came out as ${show(answers[3])}.`,
    },
  ];
}

async function overflow({ session, measured }: Context): Promise<Finding[]> {
  const { maxFinite } = session.stored;
  const top = 2 ** Math.floor(Math.log2(maxFinite));
  const half = 2 ** Math.floor(Math.log2(top) / 2);
  const huge: Term = [top / half, half];
  const [above, below, back, other] = await session.dots([
    dot([top, 2]),
    dot([-top, 2]),
    dot(huge, huge, negative(huge)),
    dot(negative(huge), negative(huge), huge),
  ]);
  const infinite = above === Number.POSITIVE_INFINITY && below === Number.NEGATIVE_INFINITY;
  const wider = back === top && other === -top;
  return [
    {
      id: 'overflow',
      question: 'What becomes of products too large for C?',
      answer: infinite
        ? 'infinity'
        : above === maxFinite && below === -maxFinite
          ? 'the largest finite number'
          : 'something else',
      value: infinite,
      confidence: 'measured',
      evidence: `${show(top)}·2 gave ${show(above)}, ${show(-top)}·2 gave ${show(below)}.`,
    },
    {
      id: 'sum-range',
      question: 'May a sum go beyond the range of C and come back?',
      answer: wider ? 'yes: sums have a wider range, or are ordered to stay within' : 'no',
      value: wider,
      // In some orders no partial sum leaves the range.
      confidence: wider
        ? (measured.accumulatorBits ?? 0) > session.stored.precision
          ? 'measured'
          : 'likely'
        : 'measured',
      evidence: `${show(top)} + ${show(top)} − ${show(top)} gave ${show(back)}.`,
    },
  ];
}
