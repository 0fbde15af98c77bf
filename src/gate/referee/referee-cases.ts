import { type Random, seeded } from '../../base/random.ts';
import { showsRounding } from '../../inputs/shows-rounding.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { MOST_PROCESSES, type Surroundings, surroundingsOf } from '../../kernels/surroundings.ts';
import type { Shape } from '../../matrix/dense.ts';
import { caseOf, changed } from '../../problem/case.ts';
import type { GemmProblem } from '../../problem/problem.ts';
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
export const FRESH = { process: 12, device: 2 } as const;

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
  const others = ordered.filter((value) => !programs.includes(value));
  const soon = {
    ...{ early, late, programs },
    fresh: askedAfresh(hidden, fresh, random),
    large: largeOnes(ordered, takes, random),
  };
  return withSoon(others, soon, random);
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
    ...anew([...ofEachClass(ordered, always), ...inEachDisguise(ordered)]),
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
  ['normal', 'squared'],
];

/** Entries of which a kernel may take what they mean for granted, or most of it for all: disguises would hide just that. */
const MEANT: readonly (readonly [input: string, edit: string])[] = [
  ...(['softmax', 'uniform-0-1', 'relu', 'bytes', 'unit-rows', 'weights'] as const).map(
    (input) => [input, 'none'] as const,
  ),
  ['uniform', 'whole'],
  ['relu', 'special:16'],
];
/** Their k: from it on leaving out the lesser terms, or taking a mean for all, pays. */
const LONG = 64;

/** Entries of which whole tiles may seem not to matter, where m is as large as k. */
const FAR: readonly (readonly [input: string, edit: string])[] = [
  ['uniform', 'far-bands:75'],
  ['normal', 'far-bands:75'],
];

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
  const tall = single.filter(
    ({ problem: { m, k, n } }) => Math.min(m, k) >= LONG && n > 1 && m * k * n <= REFEREE.light,
  );
  return [
    ...made(ORDINARY, middling, random),
    ...made(SQUARES, cubes, random),
    ...made(MEANT, long.length > 0 ? long : middling, random),
    ...made(FAR, tall.length > 0 ? tall : middling, random),
  ];
}

/** Cases of the entries that are wanted, of the shapes of others in turn. */
function made(wanted: typeof ORDINARY, shapes: readonly PlannedCase[], random: Random): PlannedCase[] {
  return wanted.flatMap(([input, edit], at) => {
    const found = shapes.length === 0 ? undefined : shapes[at % shapes.length];
    if (found === undefined) return [];
    const own = changed(found, { input, edit, seed: seedFrom(random), repeats: 1 });
    return isMade(own) && isDecided(own, builtinCaseItems) ? [{ ...found, ...own }] : [];
  });
}

/** Whether a case waits for little but what it is asked around it. */
const isLight = (value: PlannedCase): boolean => workOf(value) <= REFEREE.light;

const costOf = (value: PlannedCase): number => 1 + workOf(value) / REFEREE.worth;

const isRounded = (problem: GemmProblem) => showsRounding(problem, builtinCaseItems);

/** What is asked of a class of sizes: of k, where there is one, also a case that shows operands and sums of fewer bits, and one that adds to what was there. */
const ASKED: readonly (readonly [key: 'm' | 'k' | 'n', shows: (problem: GemmProblem) => boolean])[] = [
  ['k', isRounded],
  ['k', ({ beta }) => beta !== 0 && beta !== 1],
  ...(['m', 'k', 'n'] as const).map((key) => [key, () => true] as const),
];

/** Of each class of sizes of each dimension that none of others is of, the first that takes little time, else the one that takes least. */
function ofEachClass(cases: readonly PlannedCase[], others: readonly PlannedCase[]): PlannedCase[] {
  const chosen = [...others];
  for (const [key, shows] of ASKED)
    for (const one of sizeClasses) {
      const isOf = ({ problem }: PlannedCase) => belongs(problem[key], one) && shows(problem);
      if (chosen.some(isOf)) continue;
      const own = cases.filter(isOf);
      chosen.push(
        ...(own.some(isLight) ? own.filter(isLight) : own.sort((x, y) => workOf(x) - workOf(y))).slice(0, 1),
      );
    }
  return chosen.slice(others.length);
}

/** In each disguise the first. */
const inEachDisguise = (cases: readonly PlannedCase[]): PlannedCase[] =>
  DISGUISES.flatMap((one) => cases.find(({ problem: { edit } }) => edit === one.edit) ?? []);

const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  [...random.permutation(all.length)].map((at) => all[at]);

/** Cases that are asked soon, in the order in which they stand. */
interface Soon {
  /** Long lives: in the process that began, and in the last that is begun. */
  readonly early: readonly PlannedCase[];
  readonly late: readonly PlannedCase[];
  /** What begins a process. */
  readonly fresh: readonly PlannedCase[];
  /** From small to large, so that the time of one says whether there is enough for the next. */
  readonly large: readonly PlannedCase[];
  /** They take seconds: they stand behind what a pass is at least. */
  readonly programs: readonly PlannedCase[];
}

/** Other cases among which those stand that are asked soon, at drawn places: what comes later may not come any more. */
const FIRST = 50;
/**
 * The parts of them between which each kind stands: the first life long before other processes begin, the large ones from where it is
 * known how long products take, and most often the largest behind the last life.
 */
const PLACES = { early: [0.27, 0.4], large: [0.3, 1.25], fresh: [0.78, 0.97], late: [0.97, 1] } as const;

/** Puts what is to be asked soon among the first of other cases, or the first half of them. */
function withSoon(cases: readonly PlannedCase[], { programs, ...soon }: Soon, random: Random): PlannedCase[] {
  const end = Math.min(Math.ceil(cases.length / 2), FIRST);
  const placed = (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((kind) => {
    const [least, most] = PLACES[kind];
    const places = soon[kind].map(() => end * random.uniform(least, most)).sort((x, y) => x - y);
    return soon[kind].map((value, at) => ({ value, at: places[at] }));
  });
  const first = cases.slice(0, end).map((value, at) => ({ value, at }));
  const ordered = [...first, ...placed].sort((x, y) => x.at - y.at).map(({ value }) => value);
  return [...ordered, ...programs, ...cases.slice(end)];
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
      return isMade(own) && isDecided(own, builtinCaseItems) ? [{ ...value, ...own }] : [];
    });
    return lives.slice(0, 1);
  });
}

/** Multiplications beyond which a kernel may take another way, or less care. */
const LARGE = [2 ** 20, 2 ** 22, 2 ** 24];

/** Cases of which a pass is at least: with these, all that is asked soon but programs has been asked, whatever else there was no time for. */
export const LEAST = FIRST + FRESH.process + LARGE.length + 3;

/** Sizes of one more, which a pass needs: where all are as large, kernels take another way. */
const LARGEST = [512, 544] as const;
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
  return [
    ...[...new Set(found)].map((value) => ({ ...value, ...changed(value, all) })),
    ...beyond.map((value) => ({ ...value, needed: true })),
  ];
}

/** A product of dense matrices of another shape: of lines of other sizes, where that decides, since what adds blocks errs by the largest. */
function plainly(value: PlannedCase, shape: Shape, random: Random): PlannedCase {
  const { kernel, method, problem } = value;
  const about = { kernel, ...method, precision: problem.precision, input: 'uniform' };
  const plain = caseOf({ ...about, ...shape, seed: seedFrom(random) });
  const uneven = changed(plain, { edit: 'scaled-lines' });
  return { ...value, ...(isMade(uneven) && isDecided(uneven, builtinCaseItems) ? uneven : plain) };
}

/** By how much products may be larger that stand for one. */
const WIDTH = 8;

const entriesOf = ({ problem: { m, k, n, batch } }: PlannedCase): number => batch * (m * k + k * n + m * n);

const isProgram = ({ problem }: PlannedCase): boolean => problem.program > 0;

/**
 * The same products as before, but for how often they are asked for: each after another, where nothing else was computed. Their
 * processes begin in all parts of the day, and their numbers follow each other, so that they leave every remainder.
 */
function askedAfresh(cases: readonly PlannedCase[], count: number, random: Random): PlannedCase[] {
  const light = cases.filter((value) => !isProgram(value) && isLight(value));
  const telling = light.filter(({ problem }) => isRounded(problem));
  const few = telling.length >= 2 * count ? telling : light;
  const order = random.permutation(few.length);
  const [parts, places] = [random.permutation(FRESH.process), random.permutation(FRESH.process)];
  const before = random.int(0, MOST_PROCESSES + 1 - FRESH.process);
  return Array.from({ length: Math.min(count, Math.floor(few.length / 2)) }, (_, at) => {
    const [value, other] = [few[order[2 * at]], few[order[2 * at + 1]]];
    const repeats = value.problem.repeats === 1 ? 2 : value.problem.repeats - 1;
    const seed = seedIn({ part: parts[at], number: before + places[at] }, random);
    const first = { ...other, ...changed(other, { seed }) };
    return { ...value, ...changed(value, { repeats }), after: [first], needed: true };
  });
}

/** A seed in whose surroundings a part of the day is, and so many processes before. */
function seedIn(wanted: { readonly part: number; readonly number: number }, random: Random): number {
  for (;;) {
    const seed = seedFrom(random);
    const { time, processes } = surroundingsOf(seed);
    const part = Math.floor(((time % DAY) / DAY) * FRESH.process);
    if (part === wanted.part && processes === wanted.number) return seed;
  }
}
const DAY = 24 * 60 * 60 * 1000;
