import { lookUp } from '../base/look-up.ts';
import type { Finding, Rounding } from './inspection.ts';
import type { Context, SumBits } from './question.ts';
import type { Session } from './session.ts';
import { type Dot, dot, everyOrder, lastHolding, negative, power, rotations, type Term } from './terms.ts';

/** How far apart the bits of a sum can be asked: in all, and with the exponents of f16 alone. */
export const REACH = { wide: 120, narrow: 44 };
/** Below 2^-14, f16 is subnormal: then 2^30 takes the place of 1. */
const LOWEST = 14;

/** The exponent that takes the place of 1 beside 2^-t, where entries have few exponents. */
export const topFor = (t: number, wide: boolean): number => (wide || t <= LOWEST ? 0 : 30);

/**
 * How many bits a sum keeps: 1 + 2^-t − 1 in every order. In some of the orders 1 and 2^-t are added first, and 2^-t is
 * lost where their sum is too narrow; for words of two, 1 + 2^-g + 2^-t − 1 − 2^-g likewise.
 */
export async function sumBits({ session }: Context, wide: boolean): Promise<SumBits> {
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

/** How far apart bits of a sum can be asked of a kernel. */
export const reachFor = ({ reach }: Session, wide: boolean): number =>
  Math.min(wide ? REACH.wide : REACH.narrow, reach);

async function survives(session: Session, t: number, wide: boolean): Promise<boolean> {
  const top = topFor(t, wide);
  const answers = await session.dots(everyOrder([power(top), power(top - t), negative(power(top))]));
  return answers.every((x) => x === 2 ** (top - t));
}

async function survivesBeside(session: Session, gap: number, t: number): Promise<boolean> {
  const [one, beside] = [power(0), power(-gap)];
  const answers = await session.dots(rotations([one, beside, power(-t), negative(one), negative(beside)]));
  return answers.every((x) => x === 2 ** -t);
}

/** Sums of this exponent are rounded: what is left of them is then a normal number in f16, too. */
const ROUND_AT = 10;

/**
 * How sums of p bits round: 2^10 times ±1 and 1 + 2^(1−p), with a half, and with three quarters, of the last bit added, less what
 * they were.
 * @param back subtracts what was there before, so that only the sum's rounding is seen; not for rounding on storing.
 * @param put where the terms stand; the first three by default.
 * @param length terms that the kernel is to be asked for, where places mean something in sums of so many alone.
 */
export async function roundingAt(
  { session, measured }: Context,
  bits: number,
  back: boolean,
  put: (terms: readonly (readonly Term[])[]) => Dot = (terms) => dot(...terms.flat()),
  length?: number,
): Promise<Rounding> {
  // Three quarters of the last bit end two bits below it.
  if (bits + 2 > session.reach) return 'other';
  const operandBits = session.isFew ? 0 : (measured.operandBits ?? 0);
  const ulp = 2 ** (ROUND_AT + 1 - bits);
  const one = power(ROUND_AT);
  const units = (exponent: number, factor = 1) => power(ROUND_AT - bits + exponent, factor);
  // An entry of as many bits as the sum, where entries have so many; else two.
  const odd: readonly Term[] = operandBits < bits ? [one, units(1)] : [[2 ** ROUND_AT + ulp, 1]];
  const cases: readonly (readonly [base: readonly Term[], added: Term])[] = [
    [[one], units(0)],
    [odd, units(0)],
    [[one], units(-1, 3)],
    [[negative(one)], negative(units(-1, 3))],
    [[one], units(-1)],
  ];
  const total = (base: readonly Term[]) => base.reduce((sum, [a, b]) => sum + a * b, 0);
  for (const [x, y, z] of back ? ORDERS : ORDERS.slice(0, 1)) {
    const answers = await session.dots(
      cases.map(([base, added]) => {
        const parts = [base, [added], back ? base.map(negative) : []];
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

/** Orders of what was there, what is added and what is subtracted again: in one of them the first two meet first. */
const ORDERS = [
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 2, 0],
] as const;

/** Units of the last place gained by a half on an even and on an odd number, by ±¾, and by ¼. */
export const SIGNATURES: Readonly<Record<string, Rounding>> = {
  '0,1,1,-1,0': 'to nearest even',
  '1,1,1,-1,0': 'to nearest, ties away',
  '0,0,0,0,0': 'toward zero',
  '1,1,1,0,1': 'up',
  '0,0,0,-1,0': 'down',
};

/** Roundings that err by up to a whole unit of the last place. */
export const isDirected = (rounding: Rounding | undefined): boolean =>
  rounding === 'toward zero' || rounding === 'up' || rounding === 'down';

/** What claims of arithmetic call such a rounding. */
export const directedClaim = (rounding: Rounding | undefined): 'toward-zero' | 'faithful' =>
  rounding === 'toward zero' ? 'toward-zero' : 'faithful';

export function roundingFinding(id: string, question: string, rounding: Rounding, bits: number): Finding {
  return {
    id,
    question,
    answer: rounding === 'other' ? 'in no one way that is known' : rounding,
    value: rounding === 'other' ? null : rounding,
    confidence: rounding === 'other' ? 'unknown' : 'measured',
    evidence: `What lies ¼, ½ and ¾ of the way between two numbers of ${bits} bits, of both signs.`,
  };
}
