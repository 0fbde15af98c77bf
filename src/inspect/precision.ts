import { precisions } from '../formats/precision.ts';
import type { Finding, Measured } from './inspection.ts';
import type { Lab, Line } from './lab.ts';
import { operandBits, operandFinding, operandRounding } from './operand-bits.ts';
import { productFinding } from './product-bits.ts';
import { storedFindings } from './stored-bits.ts';
import { sumBits, sumFindings } from './sum-bits.ts';

/** What is rounded to how many bits: operands, products, sums, results. */
export const precision: Line = {
  id: 'precision',
  question: 'What is it computed in?',
  async ask(lab: Lab): Promise<Finding[]> {
    const operands = await operandBits(lab);
    const sums = await sumBits(lab, operands.wide);
    lab.measured.accumulatorBits = sums.bits;
    const operand = operandFinding(operands, lab);
    const [accumulator, ...rounding] = await sumFindings(lab, sums);
    const rounded = await operandRounding(lab);
    const stored = await storedFindings(lab);
    const product = await productFinding(lab);
    return [
      unitFinding(lab, operands.wide),
      operand,
      ...rounded,
      product,
      accumulator,
      ...rounding,
      ...stored,
    ];
  },
};

/** A record for each kind of unit: what its operands keep, and with what exponents. */
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

function operandName({ operandBits = 0, operandBitsHidden }: Measured, wide: boolean): string {
  const unit = UNITS.find(
    (one) =>
      operandBits >= one.bits[0] &&
      operandBits <= one.bits[1] &&
      (one.wide === undefined || one.wide === wide),
  );
  return unit?.name ?? `${operandBits}-bit${operandBitsHidden === true ? ' or wider' : ''}`;
}

function sumName({ accumulatorBits = 0 }: Measured): string {
  const names: Readonly<Record<number, string>> = { 8: 'bf16', 11: 'f16', 24: 'f32', 53: 'f64' };
  if (accumulatorBits > 100) return 'exact or double-double';
  if (accumulatorBits >= 46 && accumulatorBits <= 50) return 'float-float';
  return names[accumulatorBits] ?? `${accumulatorBits}-bit`;
}

/** Names what it runs on, beside what it claims. */
function unitFinding({ asker, measured }: Lab, wide: boolean): Finding {
  const claimed = precisions[asker.kernel.arithmetic.precision];
  const operand = operandName(measured, wide);
  const sum = sumName(measured);
  const { operandBits = 0, accumulatorBits = 0, storedBits = 0 } = measured;
  const less = [
    [operandBits < claimed.operands.precision && measured.operandBitsHidden !== true, 'products'],
    [accumulatorBits < claimed.working.precision, 'sums'],
    [storedBits < claimed.stored.precision && storedBits < accumulatorBits, 'results'],
  ].flatMap(([is, what]) => (is === true ? [what] : []));
  const stored = storedBits < asker.stored.precision ? `${storedBits}-bit` : asker.stored.name;
  const verdict =
    less.length === 0
      ? `as ${claimed.title} should be`
      : `less than ${claimed.title} in its ${less.join(' and ')}`;
  const name = `${operand} products, ${sum} sums, ${stored} results`;
  return {
    id: 'unit',
    question: 'What does it compute in?',
    answer: `${name}: ${verdict}`,
    value: name,
    confidence: less.length > 0 ? 'proved' : 'measured',
    evidence: 'From the significant bits of operands, sums and results below.',
  };
}
