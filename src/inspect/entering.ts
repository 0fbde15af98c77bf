import type { InspectionFinding, InspectionMeasures } from './inspection.ts';
import { operandFinding, operandRounding } from './operand-bits.ts';
import { hasSingleUnit, multipliedBits, type OperandFormat, spanOf } from './operand-format.ts';
import { storedRounding } from './precision.ts';
import { productFinding } from './product-rounding.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import { type DotProduct, makeDot } from './terms.ts';

/** Measurement of the bits to which entries and products are rounded. It runs after the sums are known, since narrow sums may hide bits. */
export const entering: InspectionQuestion = {
  id: 'entering',
  question: 'To how many bits are entries and products rounded?',
  wrongProducts: 'subject',
  async ask(context) {
    const { session, known } = context;
    const operand = known.operands === undefined ? [] : [operandFinding(known.operands, context)];
    const rounded = await operandRounding(context);
    const isKnown = session.sides.every(({ isFew }) => isFew);
    const product = isKnown ? await elementProducts(context) : await productFinding(context);
    const unit = known.sums === undefined ? [] : [unitFinding(context)];
    const stored = known.sums === undefined ? [] : await storedRounding(context);
    return [...operand, ...rounded, product, ...stored, ...unit];
  },
};

/** Most significands of a format that are tested: those of 8 bits are 128. */
const MOST = 16;

/**
 * Tests if products of elements are rounded before they are added. Each pair of significands of A and B stands alone in its inner product.
 */
async function elementProducts({ session, measures }: InspectionContext): Promise<InspectionFinding> {
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

/** A record for each kind of unit: the bits and exponents that its operands keep. */
const UNITS: readonly { bits: readonly [number, number]; wide?: boolean; name: string }[] = [
  { bits: [8, 8], name: 'bf16' },
  { bits: [11, 11], wide: true, name: 'tf32' },
  { bits: [11, 11], wide: false, name: 'f16' },
  { bits: [15, 17], name: 'two bf16 parts' },
  { bits: [21, 23], wide: true, name: 'two tf32 parts' },
  { bits: [21, 23], wide: false, name: 'two f16 parts' },
  { bits: [24, 24], name: 'f32' },
  { bits: [46, 52], name: 'pairs of f32' },
  { bits: [53, 53], name: 'f64' },
];

function operandName({ operandBits = 0, operandBitsHidden }: InspectionMeasures, wide: boolean): string {
  const unit = UNITS.find(
    (one) =>
      operandBits >= one.bits[0] &&
      operandBits <= one.bits[1] &&
      (one.wide === undefined || one.wide === wide),
  );
  return unit?.name ?? `${operandBits}-bit${operandBitsHidden === true ? ' or wider' : ''}`;
}

function sumName({ accumulatorBits = 0, accumulatorBitsMost, compensated }: InspectionMeasures): string {
  if (accumulatorBitsMost !== undefined) {
    return `${nameOfBits(accumulatorBits)} and ${nameOfBits(accumulatorBitsMost)}`;
  }
  return `${compensated === true ? 'compensated ' : ''}${nameOfBits(accumulatorBits)}`;
}

function nameOfBits(bits: number): string {
  const names: Readonly<Record<number, string>> = { 8: 'bf16', 11: 'f16', 24: 'f32', 53: 'f64' };
  if (bits > 100) return 'exact or double-double';
  if (bits >= 46 && bits <= 50) return 'float-float';
  return names[bits] ?? `${bits}-bit`;
}

/** Names the unit that the kernel runs on, beside its claim. */
function unitFinding({ session, measures, known }: InspectionContext): InspectionFinding {
  const claimed = session.kernel.precision;
  const operand = session.isFew
    ? [...new Set(session.sides.map(({ format }) => format.name))].join(' by ')
    : operandName(measures, measures.wideExponents === true);
  const isOpen = (bits: number) => session.isFew && bits > session.reach;
  const sum =
    known.isSorted === true || isOpen(measures.accumulatorBits ?? 0)
      ? `at least ${measures.accumulatorBits}-bit`
      : sumName(measures);
  const { operandBits = 0, accumulatorBits = 0, storedBits = 0 } = measures;
  const less = [
    [operandBits < multipliedBits(claimed) && measures.operandBitsHidden !== true, 'operands'],
    [accumulatorBits < claimed.accumulated.precision && !isOpen(accumulatorBits), 'sums'],
    [storedBits < claimed.d.precision && storedBits < accumulatorBits && !isOpen(storedBits), 'results'],
  ].flatMap(([is, what]) => (is === true ? [what] : []));
  const stored =
    storedBits < session.result.precision && !isOpen(storedBits) ? `${storedBits}-bit` : session.result.name;
  const verdict =
    less.length === 0
      ? `as ${claimed.name} should be`
      : `less than ${claimed.name} in its ${less.join(' and ')}`;
  const name = `multiplies ${operand}, adds in ${sum}, stores ${stored}`;
  return {
    id: 'unit',
    question: 'What does it compute in?',
    answer: `${name}: ${verdict}`,
    value: name,
    confidence: 'measured',
    evidence: 'From the significant bits of operands, sums and results.',
  };
}
