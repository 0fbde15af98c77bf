import type { Random } from '../base/random.ts';
import type { Features } from '../matrix/features.ts';
import type { BatchedShape } from '../problem/boundary-shapes.ts';
import { changeCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { EntryFamily } from './drawn-entries.ts';
import type { Variation } from './gemm-sample.ts';
import { richVariations } from './rich-sample.ts';
import { weightOf } from './sampler.ts';

const [EXACT, REAL] = ['wild-integers', 'wild'];

/** Entries without a design: whole numbers, which are judged with zero tolerance, and others in turn. */
export const WILD_ENTRIES: readonly EntryFamily[] = [[EXACT], [REAL]];

export const isWild = (input: string): boolean => input === EXACT || input === REAL;

/** Returns variations: one product in three is plain, and the others have rich variations. */
export const wildVariations = (takes: Features, all: readonly BatchedShape[], random: Random): Variation[] =>
  richVariations(takes, all, random).map((rich) => (random.int(0, 2) === 0 ? {} : rich));

/** Most multiplications and entries of a repeated case, and the most repetitions. */
const [OFTEN, MOST] = [2 ** 17, 8];

/** Gives each case a random number of repetitions. A bound may be too weak for batches that share a matrix, so they get whole numbers. */
export function repeatAtRandom(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  return cases.map((value) => {
    const { a, b, batch, input } = value.problem;
    const isShared = batch > 1 && (a.gap === 'same' || b.gap === 'same');
    const times = Math.floor(2 ** random.uniform(0, Math.log2(MOST + 1)));
    const repeats = weightOf(value.problem) <= OFTEN ? times : 1;
    const change = { repeats, input: isShared && input === REAL ? EXACT : input };
    return { ...value, ...changeCase(value, change) };
  });
}

/** Merges two lists, each in its order, so that both advance at the same rate. */
export function mergeEvenly<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((all) =>
    all.map((value, at) => ({ value, at: (at + 0.5) / all.length })),
  );
  return placed.sort((x, y) => x.at - y.at).map(({ value }) => value);
}
