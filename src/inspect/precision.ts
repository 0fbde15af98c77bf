import type { Finding, Measured } from './inspection.ts';
import { operandBits, operandFinding, operandRounding } from './operand-bits.ts';
import type { Context, Question } from './question.ts';
import { roundingAt, roundingFinding, sumBits, sumFindings } from './sum-bits.ts';
import { dot, lastHolding, negative, power, type Term } from './terms.ts';

/** What is rounded to how many bits: operands, products, sums, results. */
export const precision: Question = {
  id: 'precision',
  question: 'What is it computed in?',
  wrongProducts: 'subject',
  async ask(context) {
    const operands = await operandBits(context);
    const sums = await sumBits(context, operands.wide);
    context.measured.accumulatorBits = sums.bits;
    const operand = operandFinding(operands, context);
    const [accumulator, ...rounding] = await sumFindings(context, sums);
    const rounded = await operandRounding(context);
    const stored = await storedFindings(context);
    const product = await productFinding(context);
    return [
      unitFinding(context, operands.wide),
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
function unitFinding({ session, measured }: Context, wide: boolean): Finding {
  const claimed = session.kernel.precision;
  const operand = operandName(measured, wide);
  const sum = sumName(measured);
  const { operandBits = 0, accumulatorBits = 0, storedBits = 0 } = measured;
  const less = [
    [operandBits < claimed.multiplied.precision && measured.operandBitsHidden !== true, 'products'],
    [accumulatorBits < claimed.accumulated.precision, 'sums'],
    [storedBits < claimed.d.precision && storedBits < accumulatorBits, 'results'],
  ].flatMap(([is, what]) => (is === true ? [what] : []));
  const stored = storedBits < session.stored.precision ? `${storedBits}-bit` : session.stored.name;
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
    confidence: less.length > 0 ? 'proved' : 'measured',
    evidence: 'From the significant bits of operands, sums and results below.',
  };
}

/** How many bits an entry of C holds: 1 + 2^-t as it comes out. */
async function storedFindings(context: Context): Promise<Finding[]> {
  const { session, measured } = context;
  const { precision, name } = session.stored;
  const most = precision - 1;
  const t = await lastHolding(0, most, async (t) => {
    const answers = await session.dots([dot(power(0), power(-t)), dot(power(-t), power(0))]);
    return answers.every((x) => x === 1 + 2 ** -t);
  });
  const bits = t + 1;
  const { accumulatorBits = 0 } = measured;
  const hidden = bits < precision && bits >= accumulatorBits;
  measured.storedBits = bits;
  const found: Finding = {
    id: 'stored-bits',
    question: 'How many significant bits has an entry of C?',
    answer: hidden
      ? `${bits}, as many as the sums`
      : bits === precision
        ? `${bits}: ${name}`
        : `${bits}, fewer than ${name}`,
    value: bits,
    confidence: bits < precision ? 'proved' : 'measured',
    evidence: `1 + 2^-t was stored for t up to ${t}${bits < precision ? `; 1 + 2^-${bits} was not` : ''}.`,
  };
  if (hidden || accumulatorBits <= bits || bits > 40) return [found];
  const rounding = await roundingAt(context, bits, false);
  return [
    found,
    roundingFinding('stored-rounding', 'How are sums rounded when they are stored?', rounding, bits),
  ];
}

/** Both factors are near 2^5, so that what is left is a normal number even in f16. */
const SCALE = 2 ** 5;

/**
 * Whether products are rounded before they are added: (1 + 2^-s)(1 − 2^-s) − 1 = −2^-2s is left where they are not (fma,
 * or wider sums), and 0 where a product of fewer bits than 2s is rounded first.
 */
async function productFinding({ session, measured }: Context): Promise<Finding> {
  const { operandBits: bits = 2, accumulatorBits = 0, operandBitsHidden } = measured;
  const most = Math.max(1, bits - 1);
  const kept = await lastHolding(1, most, async (s) => {
    const product: Term = [SCALE * (1 + 2 ** -s), SCALE * (1 - 2 ** -s)];
    const one = negative([SCALE, SCALE]);
    const answers = await session.dots([dot(one, product), dot(product, one)]);
    return answers.includes(-(SCALE ** 2) * 2 ** (-2 * s));
  });
  const whole = kept === most;
  const moot = 2 * most <= accumulatorBits;
  // The next even number of bits was lost: of the two that are left, that of the sums is likely.
  const found = accumulatorBits === 2 * kept + 1 ? accumulatorBits : 2 * kept;
  measured.productBits = found;
  if (!(moot && whole) && !(operandBitsHidden === true && whole)) measured.fused = whole;
  const about = {
    id: 'product-rounding',
    question: 'Are products rounded before they are added?',
    evidence: `(1 + 2^-s)(1 − 2^-s) − 1 was −2^-2s for s up to ${kept} of ${most}.`,
  };
  if (moot && whole) {
    const answer = `nothing to round: products of ${bits} bits by ${bits} fit into sums of ${accumulatorBits}`;
    return { ...about, answer, value: null, confidence: 'measured' };
  }
  return {
    ...about,
    answer: whole
      ? 'no: added with one rounding (fma, or exact products)'
      : `yes, rounded to ${found === accumulatorBits ? `${found} bits, as sums are` : `about ${found} bits`}`,
    value: whole,
    confidence: 'proved',
  };
}
