import { lookUp } from '../base/objects.ts';
import type { FoundRounding, InspectionFinding } from './inspection.ts';
import type { InspectionContext, SumBits } from './question.ts';
import type { InspectionSession } from './session.ts';
import {
  type DotProduct,
  type DotTerm,
  everyOrder,
  lastHolding,
  listRotations,
  makeDot,
  negateTerm,
  powerOfTwoTerm,
} from './terms.ts';

/** Largest distance of the bits of a sum that can be tested: at all, and with the exponents of f16 alone. */
export const REACH = { wide: 120, narrow: 44 };
/** Below 2^-14, numbers of f16 are subnormal. There 2^15 takes the place of 1, which f16 holds, or 2^30. */
const LOWEST = 14;

/** Returns the exponent that takes the place of 1 beside 2^-t, where entries have few exponents. */
export const topFor = (t: number, wide: boolean): number =>
  wide || t <= LOWEST ? 0 : t <= 2 * LOWEST + 1 ? LOWEST + 1 : 30;

/**
 * Measures the bits that a sum keeps, by 1 + 2^-t − 1 in every order. In some of the orders 1 and 2^-t are added first, and 2^-t is lost
 * where their sum is too narrow. For sums of two words, 1 + 2^-g + 2^-t − 1 − 2^-g serves likewise.
 */
export async function sumBits({ session }: InspectionContext, wide: boolean): Promise<SumBits> {
  const reach = reachFor(session, wide);
  const t = await lastHolding(0, reach, (t) => survives(session, t, wide));
  if (t < reach) return { bits: t + 1, atLeast: false, words: false };
  if (!wide) return { bits: t + 1, atLeast: true, words: false };
  for (const gap of [25, 54]) {
    const second = await lastHolding(gap + 1, reach, (t) => survivesBeside(session, gap, t));
    if (second < reach) return { bits: second + 1, atLeast: false, words: true };
  }
  return { bits: reach + 1, atLeast: true, words: false };
}

/** Returns the largest distance of bits of a sum that a kernel can be tested for. */
export const reachFor = ({ reach }: InspectionSession, wide: boolean): number =>
  Math.min(wide ? REACH.wide : REACH.narrow, reach);

async function survives(session: InspectionSession, t: number, wide: boolean): Promise<boolean> {
  const top = topFor(t, wide);
  const answers = await session.dots(
    everyOrder([powerOfTwoTerm(top), powerOfTwoTerm(top - t), negateTerm(powerOfTwoTerm(top))]),
  );
  return answers.every((x) => x === 2 ** (top - t));
}

async function survivesBeside(session: InspectionSession, gap: number, t: number): Promise<boolean> {
  const [one, beside] = [powerOfTwoTerm(0), powerOfTwoTerm(-gap)];
  const answers = await session.dots(
    listRotations([one, beside, powerOfTwoTerm(-t), negateTerm(one), negateTerm(beside)]),
  );
  return answers.every((x) => x === 2 ** -t);
}

/** Exponent of the sums whose rounding is tested. What is left after subtraction is then a normal number in f16, too. */
const ROUND_AT = 10;

/**
 * Finds the rounding of sums of p bits. To 2^10 times ±1 and 1 + 2^(1−p), a half and three quarters of the last bit are added; then the
 * first number is subtracted.
 * @param back subtracts the first number, so that only the sum's rounding is seen; not for rounding on storing.
 * @param put the places of the terms; the first three by default.
 * @param length terms of the sum, where places have a meaning only in sums of this length.
 */
export async function roundingAt(
  { session, measures }: InspectionContext,
  bits: number,
  back: boolean,
  put: (terms: readonly (readonly DotTerm[])[]) => DotProduct = (terms) => makeDot(...terms.flat()),
  length?: number,
): Promise<FoundRounding> {
  // Three quarters of the last bit end two bits below it.
  if (bits + 2 > session.reach) return 'other';
  const operandBits = session.isFew ? 0 : (measures.operandBits ?? 0);
  const ulp = 2 ** (ROUND_AT + 1 - bits);
  const one = powerOfTwoTerm(ROUND_AT);
  const units = (exponent: number, factor = 1) => powerOfTwoTerm(ROUND_AT - bits + exponent, factor);
  // One entry has as many bits as the sum, where entries have so many; else two terms.
  const odd: readonly DotTerm[] = operandBits < bits ? [one, units(1)] : [[2 ** ROUND_AT + ulp, 1]];
  const cases: readonly (readonly [base: readonly DotTerm[], added: DotTerm])[] = [
    [[one], units(0)],
    [odd, units(0)],
    [[one], units(-1, 3)],
    [[negateTerm(one)], negateTerm(units(-1, 3))],
    [[one], units(-1)],
  ];
  const total = (base: readonly DotTerm[]) => base.reduce((sum, [a, b]) => sum + a * b, 0);
  for (const [x, y, z] of back ? ORDERS : ORDERS.slice(0, 1)) {
    const answers = await session.dots(
      cases.map(([base, added]) => {
        const parts = [base, [added], back ? base.map(negateTerm) : []];
        return put([parts[x], parts[y], parts[z]]);
      }),
      length,
    );
    const gained = answers.map((sum, at) => (sum - (back ? 0 : total(cases[at][0]))) / ulp);
    const found = lookUp(SIGNATURES, gained.join());
    if (found !== undefined) return found;
  }
  return 'other';
}

/** Orders of the first number, the added one and the subtracted one. In one of them the first two meet first. */
const ORDERS = [
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 2, 0],
] as const;

/** Units in the last place gained by a half on an even and on an odd number, by ±¾, and by ¼. */
export const SIGNATURES: Readonly<Record<string, FoundRounding>> = {
  '0,1,1,-1,0': 'to nearest even',
  '1,1,1,-1,0': 'to nearest, ties away',
  '0,0,0,0,0': 'toward zero',
  '1,1,1,0,1': 'up',
  '0,0,0,-1,0': 'down',
};

/** True if the rounding errs by up to a whole unit in the last place. */
export const isDirected = (rounding: FoundRounding | undefined): boolean =>
  rounding === 'toward zero' || rounding === 'up' || rounding === 'down';

/** Returns the name of such a rounding in claims of arithmetic. */
export const directedClaim = (rounding: FoundRounding | undefined): 'toward-zero' | 'faithful' =>
  rounding === 'toward zero' ? 'toward-zero' : 'faithful';

export function roundingFinding(
  id: string,
  question: string,
  rounding: FoundRounding,
  bits: number,
): InspectionFinding {
  return {
    id,
    question,
    answer: rounding === 'other' ? 'in no one way that is known' : rounding,
    value: rounding === 'other' ? null : rounding,
    confidence: rounding === 'other' ? 'unknown' : 'measured',
    evidence: `Sums lay ¼, ½ and ¾ of the way between two numbers of ${bits} bits, with both signs.`,
  };
}
