import type { Random } from '../base/random.ts';
import type { Features } from '../matrix/features.ts';
import { changed } from '../problem/case.ts';
import type { Sizes } from '../problem/landmarks.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { Entries } from './drawn-entries.ts';
import type { Variation } from './gemm-sample.ts';
import { richVariations } from './rich-sample.ts';
import { weightOf } from './sampler.ts';

const [EXACT, REAL] = ['wild-integers', 'wild'];

/** What is drawn without a design: whole numbers, which are judged at zero tolerance, and others in turn. */
export const WILD_ENTRIES: readonly Entries[] = [[EXACT], [REAL]];

export const isWild = (input: string): boolean => input === EXACT || input === REAL;

/** Of three products one is plain, and two ask for anything. */
export const wildVariations = (takes: Features, all: readonly Sizes[], random: Random): Variation[] =>
  richVariations(takes, all, random).map((rich) => (random.int(0, 2) === 0 ? {} : rich));

/** Multiplications and entries up to which a case is asked for several times, and how often at most. */
const [OFTEN, MOST] = [2 ** 17, 8];

/** The same cases, each asked for any number of times. Of what batches share, a bound may say too little: they get whole numbers. */
export function wildly(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  return cases.map((value) => {
    const { a, b, batch, input } = value.problem;
    const isShared = batch > 1 && (a.gap === 'same' || b.gap === 'same');
    const times = Math.floor(2 ** random.uniform(0, Math.log2(MOST + 1)));
    const repeats = weightOf(value.problem) <= OFTEN ? times : 1;
    const change = { repeats, input: isShared && input === REAL ? EXACT : input };
    return { ...value, ...changed(value, change) };
  });
}

/** Two lists as one, each in its order and both as far at any time. */
export function mingled<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((all) =>
    all.map((value, at) => ({ value, at: (at + 0.5) / all.length })),
  );
  return placed.sort((x, y) => x.at - y.at).map(({ value }) => value);
}
