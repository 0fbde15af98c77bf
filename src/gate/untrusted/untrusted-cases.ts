import { createRandom, type Random } from '../../base/random.ts';
import { showsRounding } from '../../inputs/edits/edited-family.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import {
  clockAndPidOf,
  MOST_PROCESSES,
  type SimulatedClockAndPid,
} from '../../kernels/simulated-clock-and-pid.ts';
import type { Shape } from '../../matrix/dense.ts';
import { caseOf, changeCase } from '../../problem/case.ts';
import type { GemmProblem } from '../../problem/problem.ts';
import { ranges } from '../../problem/ranges.ts';
import { belongsToClass, sizeClasses } from '../../problem/size-classes.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { estimateWork } from '../../run/spending.ts';
import { isDecided } from '../decided.ts';
import { isMade, TRANSFORMS, transformCase } from './transform-case.ts';

/** A random stream that no family draws from. */
const STREAM = 5000;
/** Another random stream. */
const STREAM_OF_FIRST = 5002;

/** Parameters of the cases of an untrusted kernel, besides those of the draws. */
const REFEREE = {
  /** Most repetitions of one product. Hundreds of cases reveal what a thousand calls would. */
  repeats: 40,
  /** Multiplications that cost as much as the overhead of a case. Cheaper cases come earlier. */
  worth: 2 ** 18,
  /** Number of leading cases in any order, besides one of each class of sizes. */
  among: 18,
  /** Most work, in multiplications, of a case that takes little time. */
  light: 2 ** 21,
  /** Number of whole programs that run early. They take seconds, so they follow the cases of a minimal pass. */
  programs: 2,
};

/** Number of cases that are repeated after one other product. Each process is in another part of the day; a device has fewer. */
export const FRESH = { process: 12, device: 2 } as const;

/** Facts about an untrusted kernel. */
interface Refereed {
  /** Number of cases repeated in a new process. A shader sees only the leftover memory of processes, and a device takes long to open. */
  readonly fresh?: number;
  /** Returns true if the kernel accepts a shape. @defaultValue any */
  readonly takes?: (shape: Shape) => boolean;
}

/**
 * Returns the cases of a campaign for a kernel that may know how cases are made. Each seed is drawn from a secret, two in three cases get
 * a metamorphic transform, and their order is drawn. Some cases are repeated in another process. The result depends only on the arguments.
 */
export function planUntrustedCases(
  cases: readonly PlannedCase[],
  secret: number,
  { fresh = FRESH.process, takes = () => true }: Refereed = {},
): PlannedCase[] {
  const random = createRandom(secret, STREAM);
  // Long lives multiply many more small products.
  const hidden = cases
    .filter(({ problem }) => problem.sweep === 0)
    .map((value) => {
      const { repeats } = value.problem;
      const own = changeCase(value, { seed: seedFrom(random), repeats: Math.min(repeats, REFEREE.repeats) });
      return transformCase({ ...own, series: false, drawn: true }, random);
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
  return withSoon(others, soon, random).map((value, at) => (at < LEAST ? { ...value, needed: true } : value));
}

/** Returns the surroundings of the first process, which starts before its cases are drawn. */
export const drawFirstClockAndPid = (secret: number): SimulatedClockAndPid =>
  clockAndPidOf(seedFrom(createRandom(secret, STREAM_OF_FIRST)));

const seedFrom = (random: Random): number => random.int(ranges.seed.least, ranges.seed.most);

/**
 * Orders cases at random. First come the cases on which most cheats fail, mixed with as many others. Then follow one case of each class of
 * sizes and one with each transform, so that a run that ends early has seen them all. The rest follows, slow cases usually but not always
 * later.
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

/** Entries on which most cheats fail, in medium sizes: numbers without a pattern, also where the whole product is tiny. */
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
/** Range of medium sizes. k is so small that sums of dwarfed terms are below every tolerance. */
const MIDDLING = [4, 40] as const;

/** Products of a matrix by itself. Where A and B are one in memory, a kernel may mistake the product for a symmetric one. */
const SQUARES: readonly (readonly [input: string, edit: string])[] = [
  ['normal', 'symmetric,gram'],
  ['integers', 'symmetric,gram'],
  ['normal', 'squared'],
];

/** Entries whose meaning, or most of whose values, a kernel may take for granted. Transforms would hide just that. */
const MEANT: readonly (readonly [input: string, edit: string])[] = [
  ...(['softmax', 'uniform-0-1', 'relu', 'bytes', 'unit-rows', 'weights'] as const).map(
    (input) => [input, 'none'] as const,
  ),
  ['uniform', 'whole'],
  ['relu', 'special:16'],
];
/** Least k of such entries: for longer sums it pays to leave out the lesser terms, or to take a mean for all. */
const LONG = 64;

/** Entries with whole tiles that may seem negligible, where m is as large as k. */
const FAR: readonly (readonly [input: string, edit: string])[] = [
  ['uniform', 'far-bands:75'],
  ['normal', 'far-bands:75'],
];

/** Returns cases of all four kinds, with drawn shapes. */
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

/** Returns cases of the wanted entries, with the shapes of other cases in turn. */
function made(wanted: typeof ORDINARY, shapes: readonly PlannedCase[], random: Random): PlannedCase[] {
  return wanted.flatMap(([input, edit], at) => {
    const found = shapes.length === 0 ? undefined : shapes[at % shapes.length];
    if (found === undefined) return [];
    const own = changeCase(found, { input, edit, seed: seedFrom(random), repeats: 1 });
    return isMade(own) && isDecided(own, builtinCaseItems) ? [{ ...found, ...own }] : [];
  });
}

/** True if a case takes little time itself. */
const isLight = (value: PlannedCase): boolean => estimateWork(value) <= REFEREE.light;

const costOf = (value: PlannedCase): number => 1 + estimateWork(value) / REFEREE.worth;

const isRounded = (problem: GemmProblem) => showsRounding(problem, builtinCaseItems);

/** Requirements on each class of sizes. A class of k also needs a case that shows rounding of operands and sums, and one with a beta. */
const ASKED: readonly (readonly [key: 'm' | 'k' | 'n', shows: (problem: GemmProblem) => boolean])[] = [
  ['k', isRounded],
  ['k', ({ beta }) => beta !== 0 && beta !== 1],
  ...(['m', 'k', 'n'] as const).map((key) => [key, () => true] as const),
];

/** Returns a case for each class of sizes of each dimension without one among `others`: the first fast case, else the fastest. */
function ofEachClass(cases: readonly PlannedCase[], others: readonly PlannedCase[]): PlannedCase[] {
  const chosen = [...others];
  for (const [key, shows] of ASKED)
    for (const one of sizeClasses) {
      const isOf = ({ problem }: PlannedCase) => belongsToClass(problem[key], one) && shows(problem);
      if (chosen.some(isOf)) continue;
      const own = cases.filter(isOf);
      chosen.push(
        ...(own.some(isLight)
          ? own.filter(isLight)
          : own.sort((x, y) => estimateWork(x) - estimateWork(y))
        ).slice(0, 1),
      );
    }
  return chosen.slice(others.length);
}

/** Returns the first case with each transform. */
const inEachDisguise = (cases: readonly PlannedCase[]): PlannedCase[] =>
  TRANSFORMS.flatMap((one) => cases.find(({ problem: { edit } }) => edit === one.edit) ?? []);

const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  [...random.permutation(all.length)].map((at) => all[at]);

/** Cases that run early, by kind in their order. */
interface Soon {
  /** Long lives: in the first process, and in the last one that is started. */
  readonly early: readonly PlannedCase[];
  readonly late: readonly PlannedCase[];
  /** Cases that start a process. */
  readonly fresh: readonly PlannedCase[];
  /** Cases from small to large, so that the time of one predicts if there is enough for the next. */
  readonly large: readonly PlannedCase[];
  /** Programs. They take seconds, so they follow the cases of a minimal pass. */
  readonly programs: readonly PlannedCase[];
}

/** Number of other cases with which the early cases are mixed, at drawn places. A run may end before later ones. */
const FIRST = 50;
/**
 * Range of places of each kind, as fractions of these cases. The first life lies long before other processes start. The large cases begin
 * where the time of products is known, and the largest usually follows the last life.
 */
const PLACES = { early: [0.27, 0.4], large: [0.3, 1.25], fresh: [0.78, 0.97], late: [0.97, 1] } as const;

/** Mixes the early cases with the first other cases, at most half of them. */
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

/** Sizes of products that are repeated a thousand times: the smallest possible, and those of typical programs. */
const SMALL = [
  [2, 6],
  [9, 24],
] as const;

/**
 * Returns two cases that are long lives: one in the first process, one in the last process, which then meets all larger cases. Returns
 * none where a kernel accepts no such products.
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

/** Multiplications beyond which a kernel may take another code path, or less care. */
const LARGE = [2 ** 20, 2 ** 22, 2 ** 24];

/** Number of the first cases, which a pass needs. They include all early cases except programs, whatever else there was no time for. */
export const LEAST = FIRST + FRESH.process + LARGE.length + 3;

/** Range of the sizes of one more case, which a pass needs. Kernels take another path where all sizes are as large. */
const LARGEST = [512, 544] as const;
/**
 * Size from which the tiles of a whole workgroup are full and other paths may begin. All dimensions reach it, where there are such cases.
 */
const SIDE = 128;

/** Returns, for each limit, the product beyond it with the smallest matrices, with numbers that no format of fewer bits holds. */
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
    ...[...new Set(found)].map((value) => ({ ...value, ...changeCase(value, all) })),
    ...beyond.map((value) => ({ ...value, needed: true })),
  ];
}

/**
 * Returns a product of dense matrices with another shape. Its lines have different scales where that leaves a decisive check: the error of
 * added blocks follows the largest.
 */
function plainly(value: PlannedCase, shape: Shape, random: Random): PlannedCase {
  const { kernel, method, problem } = value;
  const about = { kernel, ...method, precision: problem.precision, input: 'uniform' };
  const plain = caseOf({ ...about, ...shape, seed: seedFrom(random) });
  const uneven = changeCase(plain, { edit: 'scaled-lines' });
  return { ...value, ...(isMade(uneven) && isDecided(uneven, builtinCaseItems) ? uneven : plain) };
}

/** Largest ratio of a product to its limit. */
const WIDTH = 8;

const entriesOf = ({ problem: { m, k, n, batch } }: PlannedCase): number => batch * (m * k + k * n + m * n);

const isProgram = ({ problem }: PlannedCase): boolean => problem.program > 0;

/**
 * Returns earlier products with another number of repetitions, each after one other product in a new process. The processes start in all
 * parts of the day. Their numbers are consecutive, so that all remainders occur.
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
    const first = { ...other, ...changeCase(other, { seed }) };
    return { ...value, ...changeCase(value, { repeats }), after: [first], needed: true };
  });
}

/** Draws a seed whose surroundings have a given part of the day and a given number of earlier processes. */
function seedIn(wanted: { readonly part: number; readonly number: number }, random: Random): number {
  for (;;) {
    const seed = seedFrom(random);
    const { time, processes } = clockAndPidOf(seed);
    const part = Math.floor(((time % DAY) / DAY) * FRESH.process);
    if (part === wanted.part && processes === wanted.number) return seed;
  }
}
const DAY = 24 * 60 * 60 * 1000;
