import { elementProducts } from './element-products.ts';
import type { Finding } from './inspection.ts';
import { operandBits, operandFinding, operandRounding } from './operand-bits.ts';
import type { Context, Question } from './question.ts';
import { roundingAt, roundingFinding, sumBits } from './sum-bits.ts';
import { dot, lastHolding, negative, power, type Term } from './terms.ts';

/** What is rounded to how many bits: operands, products, results; sums as far as three terms show. */
export const precision: Question = {
  id: 'precision',
  question: 'To how many bits are entries, products and results rounded?',
  wrongProducts: 'subject',
  async ask(context) {
    const { known, measured } = context;
    // Elements are asked one by one before.
    const isKnown = context.session.sides.every(({ isFew }) => isFew);
    const operands = isKnown ? undefined : await operandBits(context);
    known.sums = await sumBits(context, operands?.wide === true);
    measured.accumulatorBits = known.sums.bits;
    if (known.sums.words) measured.sumsInWords = true;
    const operand = operands === undefined ? [] : [operandFinding(operands, context)];
    const rounded = await operandRounding(context);
    const stored = await storedFindings(context);
    const product = isKnown ? await elementProducts(context) : await productFinding(context);
    return [...operand, ...rounded, product, ...stored];
  },
};

/** How many bits an entry of C holds: 1 + 2^-t as it comes out. */
async function storedFindings(context: Context): Promise<Finding[]> {
  const { session, measured } = context;
  const { precision, name } = session.result;
  const most = Math.min(precision - 1, session.reach);
  const t = await lastHolding(0, most, async (t) => {
    const answers = await session.dots([dot(power(0), power(-t)), dot(power(-t), power(0))]);
    return answers.every((x) => x === 1 + 2 ** -t);
  });
  const bits = t + 1;
  const { accumulatorBits = 0 } = measured;
  const isOpen = t === most && bits < precision;
  const hidden = bits < precision && bits >= accumulatorBits && !isOpen;
  measured.storedBits = bits;
  const found: Finding = {
    id: 'stored-bits',
    question: 'How many significant bits has an entry of C?',
    answer: isOpen
      ? `at least ${bits}`
      : hidden
        ? `${bits}, as many as the sums`
        : bits === precision
          ? `${bits}: ${name}`
          : `${bits}, fewer than ${name}`,
    value: bits,
    confidence: isOpen ? 'likely' : 'measured',
    evidence: `1 + 2^-t was stored for t up to ${t}${isOpen ? ', as far apart as operands reach' : bits < precision ? `; 1 + 2^-${bits} was not` : ''}.`,
  };
  if (isOpen || hidden || accumulatorBits <= bits || bits > 40) return [found];
  const rounding = await roundingAt(context, bits, false);
  if (rounding !== 'other') measured.storedRounding = rounding;
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
  const { accumulatorBits = 0, operandBitsHidden } = measured;
  const bits = Math.min(measured.operandBits ?? 2, ...session.sides.map(({ format }) => format.precision));
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
    confidence: 'measured',
  };
}
