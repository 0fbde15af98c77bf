import type { InspectionFinding, InspectionMeasures } from './inspection.ts';
import { multipliedBits } from './operand-format.ts';
import type { InspectionContext } from './question.ts';

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
export function unitFinding({ session, measures, known }: InspectionContext): InspectionFinding {
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
    [operandBits < multipliedBits(claimed) && measures.operandBitsHidden !== true, 'products'],
    [accumulatorBits < claimed.accumulated.precision && !isOpen(accumulatorBits), 'sums'],
    [storedBits < claimed.d.precision && storedBits < accumulatorBits && !isOpen(storedBits), 'results'],
  ].flatMap(([is, what]) => (is === true ? [what] : []));
  const stored =
    storedBits < session.result.precision && !isOpen(storedBits) ? `${storedBits}-bit` : session.result.name;
  const verdict =
    less.length === 0
      ? `as ${claimed.name} should be`
      : `less than ${claimed.name} in its ${less.join(' and ')}`;
  const name = `${operand} products, ${sum} sums, ${stored} results`;
  return {
    id: 'unit',
    question: 'What does it compute in?',
    answer: `${name}: ${verdict}`,
    value: name,
    confidence: 'measured',
    evidence: 'From the significant bits of operands, sums and results.',
  };
}
