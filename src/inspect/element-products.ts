import type { InspectionFinding } from './inspection.ts';
import { hasSingleUnit, type OperandFormat, spanOf } from './operand-format.ts';
import type { InspectionContext } from './question.ts';
import { type DotProduct, makeDot } from './terms.ts';

/** Most significands of a format that are tested: those of 8 bits are 128. */
const MOST = 16;

/**
 * Tests if products of elements are rounded before they are added. Each pair of significands of A and B stands alone in its inner product.
 */
export async function elementProducts({ session, measures }: InspectionContext): Promise<InspectionFinding> {
  const [left, right] = session.sides.map(significands);
  const pairs = left.flatMap((x) => right.map((y) => [x, y] as const));
  const answers = await session.dots(pairs.map(([x, y]): DotProduct => makeDot([x, y])));
  const bits = pairs.map(([x, y]) => bitsIn(x * y));
  const most = Math.max(...bits);
  const wrong = bits.filter((_, at) => answers[at] !== session.result.round(pairs[at][0] * pairs[at][1]));
  const kept = wrong.length === 0 ? most : Math.min(...wrong) - 1;
  if (wrong.length > 0) {
    measures.productBits = kept;
    measures.fused = false;
  }
  const [x, y] = session.sides.map(({ format }) => format.name);
  return {
    id: 'product-rounding',
    question: 'Are products rounded before they are added?',
    answer:
      wrong.length === 0
        ? `no: products of ${x} by ${y}, of up to ${most} bits, are whole`
        : `yes, rounded to about ${kept} bits`,
    value: wrong.length === 0,
    confidence: 'measured',
    evidence: `${pairs.length} products of significands of A by those of B, each alone in its sum: ${wrong.length} came out as another number.`,
  };
}

/** Returns the odd significands with all bits of the entries. Long lists are reduced to both ends. */
function significands(side: OperandFormat): number[] {
  const { precision } = side.format;
  const all = Array.from({ length: 2 ** (precision - 1) }, (_, at) => 2 ** (precision - 1) + at);
  const held = hasSingleUnit(side.format)
    ? all
    : all.filter((odd) => spanOf(side, odd, 'normal') !== undefined);
  if (held.length <= MOST) return held;
  return [...held.slice(0, MOST / 2), ...held.slice(-MOST / 2)];
}

/** Returns the number of significant bits of a whole number. */
function bitsIn(x: number): number {
  let odd = x;
  while (odd % 2 === 0) odd /= 2;
  return Math.floor(Math.log2(odd)) + 1;
}
