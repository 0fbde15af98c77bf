import type { Finding } from './inspection.ts';
import type { Lab } from './lab.ts';
import { dot, lastHolding, negative, type Term } from './terms.ts';

/** Both factors are near 2^5, so that what is left is a normal number even in f16. */
const SCALE = 2 ** 5;

/**
 * Whether products are rounded before they are added: (1 + 2^-s)(1 − 2^-s) − 1 = −2^-2s is left where they are not (fma,
 * or wider sums), and 0 where a product of fewer bits than 2s is rounded first.
 */
export async function productFinding({ asker, measured }: Lab): Promise<Finding> {
  const { operandBits: bits = 2, accumulatorBits = 0, operandBitsHidden } = measured;
  const most = Math.max(1, bits - 1);
  const kept = await lastHolding(1, most, async (s) => {
    const product: Term = [SCALE * (1 + 2 ** -s), SCALE * (1 - 2 ** -s)];
    const one = negative([SCALE, SCALE]);
    const answers = await asker.dots([dot(one, product), dot(product, one)]);
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
