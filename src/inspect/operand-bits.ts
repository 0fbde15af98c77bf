import { lookUp } from '../base/objects.ts';
import type { Operand } from '../precision/coding/coding.ts';
import type { InspectionFinding } from './inspection.ts';
import { fewestBits } from './operand-format.ts';
import type { InspectionContext, OperandBits } from './question.ts';
import { roundingFinding, SIGNATURES } from './sum-bits.ts';
import { type DotProduct, lastHolding, makeDot } from './terms.ts';

/** Bits of the tail that is left when the head of an entry is subtracted: no stored format has fewer. */
const TAIL = 8;

/**
 * Measures the significant bits of an entry that reach its product. An entry of b bits is multiplied by one, and its head, all but the last
 * eight bits, is subtracted. The tail is left if all b bits were there. Both orders are tried, since a narrow sum loses the tail in one of
 * them.
 */
export async function operandBits(context: InspectionContext): Promise<OperandBits> {
  const { session } = context;
  const wide = await areWide(context);
  const kept = (of: Operand) => {
    const { isFew, format } = session.side(of);
    // Elements are tested one by one.
    if (isFew) return Number.POSITIVE_INFINITY;
    return lastHolding(2, format.precision, (bits) => holds(context, of, bits, 0));
  };
  const found = { a: await kept('a'), b: await kept('b'), wide };
  if (!wide) return found;
  let everywhere = true;
  for (const exponent of [-60, -30, -20, 20, 30, 60]) {
    for (const of of ['a', 'b'] as const)
      if (!session.side(of).isFew) everywhere &&= await holds(context, of, found[of], exponent);
  }
  return { ...found, everywhere };
}

/** True if entries from 2^-40 to 2^40 are multiplied. */
async function areWide({ session }: InspectionContext): Promise<boolean> {
  if (session.isFew || session.stored.minNormal >= 2 ** -40) return false;
  const far = await session.dots([makeDot([2 ** 40, 2 ** -40]), makeDot([2 ** -40, 2 ** 40])]);
  return far.every((x) => x === 1);
}

async function holds(
  { session, random, quick }: InspectionContext,
  side: Operand,
  bits: number,
  exponent: number,
) {
  const trials = Array.from({ length: quick ? 4 : 6 }, () => {
    // The entry is odd, so that the last bit counts. It is at least half full, so that no two parts of a few bits hold it.
    const last = 2 ** (1 - bits);
    const whole = Math.floor(random.uniform01() * 2 ** Math.min(24, bits - 1));
    const entry = 1 + (2 * Math.floor((whole * 2 ** Math.max(0, bits - 25)) / 2) + 1) * last;
    const head = bits <= TAIL ? 0 : entry - (entry % (last * 2 ** TAIL));
    return { entry, head };
  });
  const ask = (x: number, head: number): DotProduct[] => {
    const [s, t] = [2 ** exponent, 2 ** -exponent];
    const term = (value: number): [number, number] => (side === 'a' ? [value * s, t] : [t, value * s]);
    return head === 0 ? [makeDot(term(x))] : [makeDot(term(x), term(-head)), makeDot(term(-head), term(x))];
  };
  const answers = await session.dots(trials.flatMap(({ entry, head }) => ask(entry, head)));
  return trials.every(({ entry, head }, at) => {
    const each = head === 0 ? [answers[at]] : [answers[2 * at], answers[2 * at + 1]];
    return each.includes(entry - head);
  });
}

/** Makes the finding once the width of the sums is known, since narrow sums may hide bits. */
export function operandFinding(
  { a, b, wide, everywhere }: OperandBits,
  context: InspectionContext,
): InspectionFinding {
  const { session, measures } = context;
  const most = fewestBits(session.sides.filter(({ isFew }) => !isFew));
  const bits = Math.min(a, b);
  const hidden = bits < most && bits >= (measures.accumulatorBits ?? 0);
  if (hidden) measures.operandBitsHidden = true;
  const isOne = session.sides.some(({ isFew }) => isFew);
  const sides = a === b ? `${bits}` : isOne ? `${bits} of ${a < b ? 'A' : 'B'}` : `${a} of A, ${b} of B`;
  const [range, uneven] = [wide || isOne ? '' : ', exponents as in f16', everywhere === false];
  const rest = uneven ? ', fewer where exponents are far from 0' : range;
  return {
    id: 'operand-bits',
    question: 'How many significant bits of the entries of A and B are multiplied?',
    answer: `${hidden ? 'at least ' : bits === most ? 'all ' : ''}${sides}${rest}`,
    value: bits,
    confidence: hidden ? 'likely' : 'measured',
    evidence:
      bits === most
        ? `Random entries of ${most} bits were multiplied by 1, and their leading bits subtracted. The last 8 bits remained.`
        : `Entries of ${bits} bits come through a product with 1, entries of ${bits + 1} bits do not${hidden ? ', but sums keep no more either' : ''}.`,
  };
}

/** Finds the rounding of entries with more bits; no finding where all bits are kept or sums hide it. */
export async function operandRounding({
  session,
  measures,
}: InspectionContext): Promise<InspectionFinding[]> {
  const { operandBits: bits = 0, operandBitsHidden } = measures;
  const isKnown = session.isFew || operandBitsHidden === true;
  if (isKnown || bits + 1 >= session.stored.precision) return [];
  const ulp = 2 ** (1 - bits);
  const parts: readonly (readonly [base: number, units: number])[] = [
    [1, 0.5],
    [1 + ulp, 0.5],
    [1, 0.75],
    [-1, -0.75],
    [1, 0.25],
  ];
  const answers = await session.dots(parts.map(([base, units]) => makeDot([base + units * ulp, 1])));
  const signature = answers.map((x, at) => (x - parts[at][0]) / ulp).join();
  const rounding = lookUp(SIGNATURES, signature) ?? 'other';
  if (rounding !== 'other') measures.operandRounding = rounding;
  return [roundingFinding('operand-rounding', 'How are entries rounded to that?', rounding, bits)];
}
