import { type Random, seeded } from '../../base/random.ts';
import { type Surroundings, surroundingsOf } from '../../kernels/surroundings.ts';
import type { Shape } from '../../matrix/dense.ts';
import { caseOf, changed } from '../../problem/case.ts';
import { ranges } from '../../problem/ranges.ts';
import { belongs, sizeClasses } from '../../problem/size-classes.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { workOf } from '../../run/spending.ts';
import { isDecided } from '../decided.ts';
import { DISGUISES, disguised, isMade } from './disguise.ts';

/** A stream that no family draws from. */
const STREAM = 5000;
/** Another. */
const STREAM_OF_FIRST = 5002;

/** What a campaign does to the cases of a kernel that is not trusted, beside what it draws. */
const REFEREE = {
  /** The most times that one product is asked for: what a thousand calls show, hundreds of cases do. */
  repeats: 40,
  /** Multiplications that take about as long as all else that a case takes: cases come the earlier the less they take. */
  worth: 2 ** 18,
  /** Cases in any order that stand among the first, beside one of each class of sizes. */
  among: 18,
  /** Work, in multiplications, of the largest case that takes little time. */
  light: 2 ** 21,
  /** Whole programs that are asked for soon: behind what a pass is at least, for they take seconds. */
  programs: 2,
};

/** Cases that are asked for once more where one other product was computed: in a process, each in another part of the day, or on a device. */
export const FRESH = { process: 8, device: 2 } as const;

/** What is known of a kernel that is not trusted. */
interface Refereed {
  /** How many: a shader sees of processes nothing but the memory that they leave, and a device takes long to open. */
  readonly fresh?: number;
  /** Whether it takes a shape. @defaultValue any */
  readonly takes?: (shape: Shape) => boolean;
}

/**
 * The cases of a campaign as a kernel meets them that may know how they are made: each seed is drawn from a secret, two in three are
 * in disguise, and their order is drawn; some are asked for again in another process. All of it follows from the secret.
 */
export function refereeCases(
  cases: readonly PlannedCase[],
  secret: number,
  { fresh = FRESH.process, takes = () => true }: Refereed = {},
): PlannedCase[] {
  const random = seeded(secret, STREAM);
  const hidden = cases.map((value) => {
    const { repeats } = value.problem;
    const own = changed(value, { seed: seedFrom(random), repeats: Math.min(repeats, REFEREE.repeats) });
    return disguised({ ...own, series: false, drawn: true }, random);
  });
  const ordered = inDrawnOrder(hidden, ordinary(hidden, random), random);
  const [early, late] = longLives(ordered, random);
  const programs = ordered.filter(isProgram).slice(0, REFEREE.programs);
  const soon = [
    ...askedAfresh(hidden, fresh, random),
    ...late,
    ...largeOnes(ordered, takes, random),
    ...programs,
  ];
  const others = ordered.filter((value) => !programs.includes(value));
  return withLife(withSoon(others, soon), early, random);
}

/** What the first process sees around it when it begins, which is before its cases are drawn. */
export const firstSurroundings = (secret: number): Surroundings =>
  surroundingsOf(seedFrom(seeded(secret, STREAM_OF_FIRST)));

const seedFrom = (random: Random): number => random.int(ranges.seed.least, ranges.seed.most);

/**
 * In an order that is drawn: first what most cheats are wrong on, beside as many others; then one of each class of sizes and one in
 * each disguise, so that a run that ends early has seen them all; then what takes long later than what does not, as a rule and
 * not always.
 */
function inDrawnOrder(
  cases: readonly PlannedCase[],
  always: readonly PlannedCase[],
  random: Random,
): PlannedCase[] {
  const placed = cases.map((value) => {
    const chance = random.uniform01();
    return { value, at: (costOf(value) * chance) / (1 - chance) };
  });
  const ordered = placed.sort((x, y) => x.at - y.at).map(({ value }) => value);
  const known = new Set(always);
  const anew = (values: readonly PlannedCase[]) => {
    const found = [...new Set(values)].filter((value) => !known.has(value));
    for (const value of found) known.add(value);
    return shuffled(found, random);
  };
  const others = [
    ...anew([...ofEachClass(ordered), ...inEachDisguise(ordered)]),
    ...anew(ordered.slice(0, REFEREE.among)),
  ];
  return [
    ...shuffled([...always, ...others.slice(0, always.length)], random),
    ...others.slice(always.length),
    ...ordered.filter((value) => !known.has(value)),
  ];
}

/** What most cheats are wrong on, of middling sizes: numbers of no pattern, also where all of the product is tiny. */
const ORDINARY: readonly (readonly [input: string, edit: string])[] = [
  ...([
    ['uniform', 'none'],
    ['normal', 'none'],
    ['uniform-0-1', 'none'],
    ['normal', 'resized'],
  ] as const),
  ...([
    ['uniform', 'dwarfed'],
    ['normal', 'dwarfed'],
    ['uniform', 'dwarfed,permuted'],
  ] as const),
];
/** Their sizes: so small a k that sums of dwarfed terms are below every tolerance. */
const MIDDLING = [4, 40] as const;

/** A matrix by itself: where A and B are one in memory, a kernel may take the product for a symmetric one, or for another. */
const SQUARES: readonly (readonly [input: string, edit: string])[] = [
  ['normal', 'symmetric,gram'],
  ['integers', 'symmetric,gram'],
];

/** Families of which a kernel may take what they mean for granted, or most of it for all: disguises would hide just that. */
const MEANT = ['softmax', 'uniform-0-1', 'relu', 'bytes', 'unit-rows', 'weights'];
/** Their k: from it on leaving out the lesser terms, or taking a mean for all, pays. */
const LONG = 64;

/** Cases of both kinds, of shapes that are drawn. */
function ordinary(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  const [least, most] = MIDDLING;
  const isMiddling = (size: number) => size >= least && size <= most;
  const single = shuffled(cases, random).filter(({ problem }) => problem.batch === 1);
  const middling = single.filter(({ problem: { m, k, n } }) => [m, k, n].every(isMiddling));
  const long = single.filter(
    ({ problem: { m, k, n } }) => k >= LONG && Math.min(m, n) > 1 && m * k * n <= REFEREE.worth,
  );
  const cubes = middling.filter(({ problem: { m, k, n } }) => m === k && k === n && m > 1);
  const meant = MEANT.map((input) => [input, 'none'] as const);
  return [
    ...made(ORDINARY, middling, random),
    ...made(SQUARES, cubes, random),
    ...made(meant, long.length > 0 ? long : middling, random),
  ];
}

/** Cases of the entries that are wanted, of the shapes of others in turn. */
function made(wanted: typeof ORDINARY, shapes: readonly PlannedCase[], random: Random): PlannedCase[] {
  return wanted.flatMap(([input, edit], at) => {
    const found = shapes.length === 0 ? undefined : shapes[at % shapes.length];
    if (found === undefined) return [];
    const own = changed(found, { input, edit, seed: seedFrom(random), repeats: 1 });
    return isMade(own) && isDecided(own) ? [{ ...found, ...own }] : [];
  });
}

/** Whether a case waits for little but what it is asked around it. */
const isLight = (value: PlannedCase): boolean => workOf(value) <= REFEREE.light;

const costOf = (value: PlannedCase): number => 1 + workOf(value) / REFEREE.worth;

/** Of each class of sizes of each dimension the first that takes little time, else the one that takes least. */
const ofEachClass = (cases: readonly PlannedCase[]): PlannedCase[] =>
  (['m', 'k', 'n'] as const).flatMap((key) =>
    sizeClasses.flatMap((one) => {
      const own = cases.filter(({ problem }) => belongs(problem[key], one));
      return own.find(isLight) ?? own.sort((x, y) => workOf(x) - workOf(y)).slice(0, 1);
    }),
  );

/** In each disguise the first. */
const inEachDisguise = (cases: readonly PlannedCase[]): PlannedCase[] =>
  DISGUISES.flatMap((one) => cases.find(({ problem: { edit } }) => edit === one.edit) ?? []);

const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  [...random.permutation(all.length)].map((at) => all[at]);

/** Puts what is to be asked soon behind the first half, or the first of them: what comes later may not come any more. */
function withSoon(cases: readonly PlannedCase[], soon: readonly PlannedCase[]): PlannedCase[] {
  const at = Math.min(Math.ceil(cases.length / 2), FIRST);
  return [...cases.slice(0, at), ...soon, ...cases.slice(at)];
}
const FIRST = 56;

/** Where the first long life may stand: in the process that began, long enough before others begin. */
const YOUNG = [15, 34] as const;

function withLife(cases: readonly PlannedCase[], lives: readonly PlannedCase[], random: Random) {
  const at = Math.min(random.int(...YOUNG), Math.ceil(cases.length / 4));
  return [...cases.slice(0, at), ...lives, ...cases.slice(at)];
}

/** Sizes of products that are asked for by the thousand: so many as can be, and those that a program works with. */
const SMALL = [
  [2, 6],
  [9, 24],
] as const;

/**
 * Two cases that are long lives: one while the first process is judged, one in the last that is begun, which then meets all larger
 * cases. None where a kernel takes no such products.
 */
function longLives(cases: readonly PlannedCase[], random: Random): PlannedCase[][] {
  return SMALL.map(([least, most]) => {
    const isSmall = (size: number) => size >= least && size <= most;
    const small = cases.filter(({ problem: { m, k, n } }) => [m, k, n].every(isSmall));
    const lives = small.flatMap((value): PlannedCase[] => {
      const { m, k, n, precision } = value.problem;
      const about = { kernel: value.kernel, ...value.method, precision, input: 'integers' };
      const own = caseOf({ ...about, m, k, n, seed: seedFrom(random), repeats: ranges.repeats.most });
      return isMade(own) && isDecided(own) ? [{ ...value, ...own }] : [];
    });
    return lives.slice(0, 1);
  });
}

/** Multiplications beyond which a kernel may take another way, or less care. */
const LARGE = [2 ** 20, 2 ** 22, 2 ** 24];

/** Cases of which a pass is at least: with these, all that is asked soon but programs has been asked, whatever else there was no time for. */
export const LEAST = FIRST + FRESH.process + LARGE.length + 2;

/** Sizes of one more, beyond 2^26 multiplications, where the time that others took says that there is enough. */
const LARGEST = [408, 500] as const;
/** Sizes from which tiles of a whole workgroup are full, and other ways may be taken: in all dimensions at once, where there are such. */
const SIDE = 128;

/** Of the products beyond each the one that has the smallest matrices, of numbers that no format of fewer bits holds. */
function largeOnes(
  cases: readonly PlannedCase[],
  takes: (shape: Shape) => boolean,
  random: Random,
): PlannedCase[] {
  const found = LARGE.flatMap((least) => {
    const beyond = cases.filter(
      ({ problem: { m, k, n } }) => m * k * n > least && m * k * n <= WIDTH * least,
    );
    const full = beyond.filter(({ problem: { m, k, n } }) => Math.min(m, k, n) >= SIDE);
    const among = full.length > 0 ? full : beyond;
    const [smallest] = among.sort((one, other) => entriesOf(one) - entriesOf(other));
    return smallest === undefined ? [] : [smallest];
  });
  const all = { input: 'uniform', edit: 'none', repeats: 1 };
  const size = () => random.int(...LARGEST);
  const largest = { m: size(), k: size(), n: size() };
  const beyond = takes(largest) ? cases.slice(0, 1).map((value) => plainly(value, largest, random)) : [];
  return [...[...new Set(found)].map((value) => ({ ...value, ...changed(value, all) })), ...beyond];
}
/** A product of dense matrices of another shape. */
function plainly(value: PlannedCase, shape: Shape, random: Random): PlannedCase {
  const { kernel, method, problem } = value;
  const about = { kernel, ...method, precision: problem.precision, input: 'uniform' };
  return { ...value, ...caseOf({ ...about, ...shape, seed: seedFrom(random) }) };
}

/** By how much products may be larger that stand for one. */
const WIDTH = 8;

const entriesOf = ({ problem: { m, k, n, batch } }: PlannedCase): number => batch * (m * k + k * n + m * n);

const isProgram = ({ problem }: PlannedCase): boolean => problem.program > 0;

/**
 * The same products as before, but for how often they are asked for: each after another, where nothing else was computed. Their
 * processes begin in all parts of the day, and their numbers leave all remainders.
 */
function askedAfresh(cases: readonly PlannedCase[], count: number, random: Random): PlannedCase[] {
  const few = cases.filter((value) => !isProgram(value) && isLight(value));
  const order = random.permutation(few.length);
  const [parts, remainders] = [random.permutation(FRESH.process), random.permutation(FRESH.process)];
  return Array.from({ length: Math.min(count, Math.floor(few.length / 2)) }, (_, at) => {
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
    const part = Math.floor(((time % DAY) / DAY) * FRESH.process);
    if (part === wanted.part && processes % FRESH.process === wanted.remainder) return seed;
  }
}
const DAY = 24 * 60 * 60 * 1000;
