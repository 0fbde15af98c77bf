import { type Random, seeded } from '../../base/random.ts';
import { surroundingsOf } from '../../kernels/surroundings.ts';
import { caseOf, changed } from '../../problem/case.ts';
import { ranges } from '../../problem/ranges.ts';
import { belongs, sizeClasses } from '../../problem/size-classes.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { isDecided } from '../decided.ts';
import { weightOf } from '../sampler.ts';
import { DISGUISES, disguised, isMade } from './disguise.ts';

/** A stream that no family draws from. */
const STREAM = 5000;

/** What a campaign does to the cases of a kernel that is not trusted, beside what it draws. */
const REFEREE = {
  /** The most times that one product is asked for: what a thousand calls show, hundreds of cases do. */
  repeats: 40,
  /** Multiplications that take about as long as all else that a case takes: cases come the earlier the less they take. */
  worth: 2 ** 18,
  /** Cases in any order that stand among the first, beside one of each class of sizes. */
  among: 30,
  /** Cases that are asked for once more, in a process that has computed one other product: each in another part of the day. */
  afresh: 8,
  /** The largest of these, in multiplications. */
  largest: 2 ** 21,
};

/**
 * The cases of a campaign as a kernel meets them that may know how they are made: each seed is drawn from a secret, two in three are
 * in disguise, and their order is drawn; some are asked for again in another process. All of it follows from the secret.
 */
export function refereeCases(cases: readonly PlannedCase[], secret: number): PlannedCase[] {
  const random = seeded(secret, STREAM);
  const hidden = cases.map((value) => {
    const { repeats } = value.problem;
    const own = changed(value, { seed: seedFrom(random), repeats: Math.min(repeats, REFEREE.repeats) });
    return disguised({ ...own, series: false, drawn: true }, random);
  });
  const ordered = inDrawnOrder(hidden, random);
  const [early, late] = longLives(ordered, random);
  const soon = [...askedAfresh(hidden, random), ...late, ...largeOnes(ordered)];
  return withLife(withSoon(ordered, soon), early, random);
}

const seedFrom = (random: Random): number => random.int(ranges.seed.least, ranges.seed.most);

/**
 * In an order that is drawn: first one of each class of sizes and one in each disguise, among others, so that a run that ends early has seen them all; then
 * what takes long later than what does not, as a rule and not always.
 */
function inDrawnOrder(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  const placed = cases.map((value) => {
    const chance = random.uniform01();
    return { value, at: (costOf(value) * chance) / (1 - chance) };
  });
  const ordered = placed.sort((x, y) => x.at - y.at).map(({ value }) => value);
  const early = new Set([
    ...[...ofEachClass(ordered), ...inEachDisguise(ordered)],
    ...ordered.slice(0, REFEREE.among),
  ]);
  return [...shuffled([...early], random), ...ordered.filter((value) => !early.has(value))];
}

const costOf = (value: PlannedCase): number =>
  1 + (weightOf(value.problem) * value.problem.repeats) / REFEREE.worth;

/** Of each class of sizes of each dimension the first. */
const ofEachClass = (cases: readonly PlannedCase[]): PlannedCase[] =>
  (['m', 'k', 'n'] as const).flatMap((key) =>
    sizeClasses.flatMap((one) => cases.find(({ problem }) => belongs(problem[key], one)) ?? []),
  );

/** In each disguise the first. */
const inEachDisguise = (cases: readonly PlannedCase[]): PlannedCase[] =>
  DISGUISES.flatMap((one) => cases.find(({ problem: { edit } }) => edit === one.edit) ?? []);

const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  [...random.permutation(all.length)].map((at) => all[at]);

/** Puts what is to be asked soon behind the first half, or the first seventy: what comes later may not come any more. */
function withSoon(cases: readonly PlannedCase[], soon: readonly PlannedCase[]): PlannedCase[] {
  const at = Math.min(Math.ceil(cases.length / 2), FIRST);
  return [...cases.slice(0, at), ...soon, ...cases.slice(at)];
}
const FIRST = 70;

/** Where the first long life may stand: in the process that began, long enough before others begin. */
const YOUNG = [15, 45] as const;

function withLife(cases: readonly PlannedCase[], lives: readonly PlannedCase[], random: Random) {
  const at = Math.min(random.int(...YOUNG), Math.ceil(cases.length / 4));
  return [...cases.slice(0, at), ...lives, ...cases.slice(at)];
}

/** Sizes of products that are asked for by the thousand. */
const SMALL = [2, 6] as const;

/**
 * Two cases that are long lives: one while the first process is judged, one in the last that is begun, which then meets all larger
 * cases. None where a kernel takes no small products.
 */
function longLives(cases: readonly PlannedCase[], random: Random): PlannedCase[][] {
  const [least, most] = SMALL;
  const isSmall = (size: number) => size >= least && size <= most;
  const small = cases.filter(({ problem: { m, k, n } }) => [m, k, n].every(isSmall));
  const lives = small.flatMap((value): PlannedCase[] => {
    const { m, k, n, precision } = value.problem;
    const about = { kernel: value.kernel, ...value.method, precision, input: 'integers' };
    const own = caseOf({ ...about, m, k, n, seed: seedFrom(random), repeats: ranges.repeats.most });
    return isMade(own) && isDecided(own) ? [{ ...value, ...own }] : [];
  });
  return [lives.slice(0, 1), lives.slice(1, 2)];
}

/** Multiplications beyond which a kernel may take another way, or less care. */
const LARGE = [2 ** 20, 2 ** 22, 2 ** 24];

/** Of the products beyond each the one that has the smallest matrices, of numbers that no format of fewer bits holds. */
function largeOnes(cases: readonly PlannedCase[]): PlannedCase[] {
  const found = LARGE.flatMap((least) => {
    const beyond = cases.filter(
      ({ problem: { m, k, n } }) => m * k * n > least && m * k * n <= WIDTH * least,
    );
    const [smallest] = beyond.sort((one, other) => entriesOf(one) - entriesOf(other));
    return smallest === undefined ? [] : [smallest];
  });
  const all = { input: 'uniform', edit: 'none', repeats: 1 };
  return [...new Set(found)].map((value) => ({ ...value, ...changed(value, all) }));
}
/** By how much products may be larger that stand for one. */
const WIDTH = 8;

const entriesOf = ({ problem: { m, k, n, batch } }: PlannedCase): number => batch * (m * k + k * n + m * n);

/**
 * The same products as before, but for how often they are asked for: each after another, where nothing else was computed. Their
 * processes begin in all parts of the day, and their numbers leave all remainders.
 */
function askedAfresh(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  const few = cases.filter(({ problem }) => weightOf(problem) <= REFEREE.largest);
  const order = random.permutation(few.length);
  const [parts, remainders] = [random.permutation(REFEREE.afresh), random.permutation(REFEREE.afresh)];
  return Array.from({ length: Math.min(REFEREE.afresh, Math.floor(few.length / 2)) }, (_, at) => {
    const [value, other] = [few[order[2 * at]], few[order[2 * at + 1]]];
    const repeats = value.problem.repeats === 1 ? 2 : value.problem.repeats - 1;
    const seed = seedIn({ part: parts[at], remainder: remainders[at] }, random);
    const first = { ...other, ...changed(other, { seed }) };
    return { ...value, ...changed(value, { repeats }), after: [first] };
  });
}

/** A seed in whose surroundings a part of the day is, and a process has a number that leaves a remainder. */
function seedIn(wanted: { readonly part: number; readonly remainder: number }, random: Random): number {
  for (;;) {
    const seed = seedFrom(random);
    const { time, processes } = surroundingsOf(seed);
    const part = Math.floor(((time % DAY) / DAY) * REFEREE.afresh);
    if (part === wanted.part && processes % REFEREE.afresh === wanted.remainder) return seed;
  }
}
const DAY = 24 * 60 * 60 * 1000;
