import { exponentOf } from '../base/binary64.ts';
import type { BlockScale } from '../precision/coding/coding.ts';
import { type Format, f32 } from '../precision/format.ts';
import { type OperandFormat, spanOf } from './operand-format.ts';
import {
  type InspectionContext,
  type InspectionQuestion,
  makeRefutableAnswer,
  type QuestionAnswer,
} from './question.ts';
import type { InspectionSession } from './session.ts';
import { formatPowers } from './terms.ts';

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
