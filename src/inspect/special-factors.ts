import { exponentOf } from '../base/binary64.ts';
import type { BlockScale } from '../precision/coding/coding.ts';
import { type Format, f32 } from '../precision/format.ts';
import { formatPowers } from './numbers.ts';
import { type OperandFormat, spanOf } from './operand-format.ts';
import { type InspectionQuestion, makeRefutableAnswer, type QuestionAnswer } from './question.ts';
import type { InspectionSession } from './session.ts';

/** Test of the effect of the smallest factors, and of factors that are NaN, on their blocks. */
export const specialFactors: InspectionQuestion = {
  id: 'smallest-factors',
  question: 'Are the smallest factors of blocks kept?',
  // A product with NaN is not compared.
  wrongProducts: 'own',
  async ask({ session }) {
    const found: QuestionAnswer[] = [];
    for (const side of session.sides) {
      const scale = side.coding?.scales[0];
      if (scale === undefined) continue;
      found.push(...(await smallest(session, side, scale)), ...(await notANumber(session, side, scale)));
    }
    return found;
  },
};

/**
 * Computes C where the first line of an operand has a factor. The other operand has an element and a factor of its own; both stand at place
 * 0.
 */
async function productOf(
  session: InspectionSession,
  side: OperandFormat,
  own: { readonly element: number; readonly factor: number },
  other: { readonly element: number; readonly factor: number },
) {
  const { m, k, n } = session.home(1);
  const made = (of: 'a' | 'b', rows: number, cols: number) => {
    const { element, factor } = of === side.of ? own : other;
    const isOwn = of === side.of;
    return session.coded(
      of,
      rows,
      cols,
      (line, place) => (place === 0 && (line === 0 || isOwn) ? element : 0),
      (line, place, level) => (level === 0 && line === 0 && place === 0 ? factor : 1),
    );
  };
  return session.multiply(made('a', m, k), made('b', k, n));
}

/** Tests the smallest factor, where the factor or its value in binary32 is subnormal. */
async function smallest(
  session: InspectionSession,
  side: OperandFormat,
  { format }: BlockScale,
): Promise<QuestionAnswer[]> {
  const least = format.minSubnormal;
  const isTiny = least < format.minNormal || least < f32.minNormal;
  const other = session.sides.find((one) => one !== side) as OperandFormat;
  const up = largestOf(other);
  const element = largestElement(side);
  const expected = least * element * up.element * up.factor;
  if (!isTiny || expected < session.result.minNormal) return [];
  const { data } = await productOf(session, side, { element, factor: least }, up);
  const isKept = data[0] === expected;
  return [
    {
      id: `smallest-factors-${side.of}`,
      question: `Is the smallest factor of ${side.of.toUpperCase()}, ${formatPowers(least)}, kept?`,
      answer: isKept
        ? 'kept'
        : data[0] === 0
          ? 'flushed to zero'
          : `no: it is taken for ${formatPowers((data[0] / expected) * least)}`,
      value: isKept,
      confidence: isKept ? 'measured' : 'proved',
      evidence: `An element ${formatPowers(element)} with it, times ${formatPowers(up.element)}·${formatPowers(up.factor)}, gave ${formatPowers(data[0])}, where ${formatPowers(expected)} is exact.`,
    },
  ];
}

/** Returns the largest power of two that an element can be. */
const largestElement = (side: OperandFormat): number => 2 ** (spanOf(side, 1, 'normal')?.most ?? 0);

/** Exponent of factors that bring the smallest numbers into the normal range. */
const UP = 100;

function largestOf(side: OperandFormat): { readonly element: number; readonly factor: number } {
  const element = largestElement(side);
  const most = side.coding === undefined ? 0 : exponentOf(side.coding.scales[0].format.maxFinite);
  return { element, factor: 2 ** Math.min(UP, most) };
}

/** Tests that a factor that is NaN makes the sums of its block NaN, and no others; no answer where its format has no code for NaN. */
async function notANumber(
  session: InspectionSession,
  side: OperandFormat,
  { format, lines }: BlockScale,
): Promise<QuestionAnswer[]> {
  if (!hasNaN(format)) return [];
  const c = await productOf(session, side, { element: 1, factor: Number.NaN }, { element: 1, factor: 1 });
  const first = c.data[0];
  const last = side.of === 'a' ? c.data[(c.rows - 1) * c.cols] : c.data[c.cols - 1];
  const spreads = lines === 1 && c.data.length > 1 && Number.isNaN(last);
  const isRight = Number.isNaN(first) && !spreads;
  const answer = isRight
    ? 'yes'
    : spreads
      ? 'yes, and sums of other blocks too'
      : `no: ${formatPowers(first)}`;
  return [
    {
      id: `nan-factors-${side.of}`,
      question: `Does a factor of ${side.of.toUpperCase()} that is NaN make its block NaN?`,
      ...makeRefutableAnswer(
        isRight,
        answer,
        `1·1 with a factor NaN gave ${formatPowers(first)}, in another line ${formatPowers(last)}.`,
      ),
    },
  ];
}

function hasNaN({ code }: Format): boolean {
  if (code === undefined) return false;
  for (let pattern = 2 ** code.bits - 1; pattern >= 0; pattern--)
    if (Number.isNaN(code.decode(pattern))) return true;
  return false;
}
