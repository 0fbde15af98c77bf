import type { InspectionFinding } from './inspection.ts';
import { operandBits } from './operand-bits.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { roundingAt, roundingFinding, sumBits } from './sum-bits.ts';
import { lastHolding, makeDot, powerOfTwoTerm } from './terms.ts';

/** Measurement of the bits of results. Entries and sums follow as far as a few terms show them, before their order is known. */
export const precision: InspectionQuestion = {
  id: 'precision',
  question: 'To how many bits are results rounded?',
  wrongProducts: 'subject',
  async ask(context) {
    const { known, measures, session } = context;
    // Elements were tested one by one before.
    const isKnown = session.sides.every(({ isFew }) => isFew);
    if (!isKnown) {
      known.operands = await operandBits(context);
      measures.operandBits = Math.min(known.operands.a, known.operands.b);
      if (!session.isFew) measures.wideExponents = known.operands.wide;
    }
    known.sums = await sumBits(context, known.operands?.wide === true);
    measures.accumulatorBits = known.sums.bits;
    if (known.sums.words) measures.sumsInWords = true;
    return storedFindings(context);
  },
};

/** Measures the bits of an entry of C, from 1 + 2^-t. */
async function storedFindings(context: InspectionContext): Promise<InspectionFinding[]> {
  const { session, measures } = context;
  const { precision, name } = session.result;
  const most = Math.min(precision - 1, session.reach);
  const t = await lastHolding(0, most, async (t) => {
    const answers = await session.dots([
      makeDot(powerOfTwoTerm(0), powerOfTwoTerm(-t)),
      makeDot(powerOfTwoTerm(-t), powerOfTwoTerm(0)),
    ]);
    return answers.every((x) => x === 1 + 2 ** -t);
  });
  const bits = t + 1;
  const { accumulatorBits = 0 } = measures;
  const isOpen = t === most && bits < precision;
  const hidden = bits < precision && bits >= accumulatorBits && !isOpen;
  measures.storedBits = bits;
  const found: InspectionFinding = {
    id: 'stored-bits',
    question: 'How many significant bits has an entry of C?',
    answer: isOpen
      ? `at least ${bits}`
      : hidden
        ? `${bits}; sums are not kept with more bits either`
        : bits === precision
          ? `${bits}: ${name}`
          : `${bits}, fewer than ${name}`,
    value: bits,
    confidence: isOpen ? 'likely' : 'measured',
    evidence: `1 + 2^-${t} was stored${isOpen ? ', as far apart as operands reach' : bits < precision ? `, 1 + 2^-${bits} was not` : ''}.`,
  };
  return [found];
}

/**
 * Finds the rounding of sums that have more bits than C. It runs after the sums are known, since compensated and sorted sums seem wider
 * than they are.
 */
export async function storedRounding(context: InspectionContext): Promise<InspectionFinding[]> {
  const { session, measures } = context;
  const { accumulatorBits = 0, storedBits: bits = 0 } = measures;
  const isOpen = bits - 1 === session.reach && bits < session.result.precision;
  if (isOpen || accumulatorBits <= bits || bits > 40) return [];
  const rounding = await roundingAt(context, bits, false);
  if (rounding !== 'other') measures.storedRounding = rounding;
  return [roundingFinding('stored-rounding', 'How are sums rounded when they are stored?', rounding, bits)];
}
