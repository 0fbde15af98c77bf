import type { Finding } from './inspection.ts';
import type { Lab } from './lab.ts';
import { roundingAt, roundingFinding } from './sum-bits.ts';
import { dot, lastHolding, power } from './terms.ts';

/** How many bits an entry of C holds: 1 + 2^-t as it comes out. */
export async function storedFindings(lab: Lab): Promise<Finding[]> {
  const { asker, measured } = lab;
  const { precision, name } = asker.stored;
  const most = precision - 1;
  const t = await lastHolding(0, most, async (t) => {
    const answers = await asker.dots([dot(power(0), power(-t)), dot(power(-t), power(0))]);
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
  const rounding = await roundingAt(lab, bits, false);
  return [
    found,
    roundingFinding('stored-rounding', 'How are sums rounded when they are stored?', rounding, bits),
  ];
}
