import { type Random, seeded } from '../base/random.ts';
import { type Features, missing } from '../matrix/features.ts';
import { type Case, caseOf, changed, parseCase } from '../problem/case.ts';
import { gemmOf } from '../problem/gemm-of.ts';
import { type Flat, plainStorage, readStorage, type Storage } from '../problem/problem.ts';
import { unserved } from '../problem/served.ts';

/** What of a case goes beyond A·B of dense matrices. */
type Variation = Partial<Pick<Flat, 'alpha' | 'beta' | 'batch' | 'a' | 'b' | 'c' | 'd'>>;

/** One choice of a variation: a part of it, and the values that it may have; the first is the usual. */
interface Axis {
  readonly key: keyof Variation | 'factors';
  readonly values: readonly string[];
}

/** Few values each: of two values of any two axes every pair is to be met. */
const AXES: readonly Axis[] = [
  // alpha and beta together: each pair of them may be a shader of its own.
  { key: 'factors', values: ['1,0', '1,1', '-1,0.5', '2,0', '0.3333333333333333,-1', '-0.7,2'] },
  { key: 'batch', values: ['1', '2', '3', '5'] },
  { key: 'a', values: ['n', 't', 'n+1', 't+3@1', 'nf+5@17', 'tf', 'n*same', 't+7*64', 'n+2@3*same'] },
  { key: 'b', values: ['n', 't', 'n+3', 't+1@5', 'nf+2', 'tf+9@2', 't*same', 'n+64@1*5', 'tf+3*same'] },
  { key: 'c', values: ['n', 'n+1', 'n+5@3', 'nf', 'nf+3@1', 'n+2*7', 'n*same'] },
  { key: 'd', values: ['none', 'n', 'n+3@1', 'nf+2', 'n+1*9'] },
];

/** Variations that are looked at for each that is taken. */
const CANDIDATES = 24;

/**
 * So many variations of what a kernel takes, none of them plain, of which each meets as many pairs of values as it can that
 * none before it has met. A seed gives the same ones, and more of them begin with the same.
 */
export function variations(takes: Features, count: number, seed: number): Variation[] {
  const random = seeded(seed, STREAM);
  const axes = AXES.map(({ key, values }) => ({
    key,
    values: values.filter((value) => isTaken(takes, key, value)),
  }));
  const met = new Set<string>();
  const found: Variation[] = [];
  if (axes.every(({ values }) => values.length <= 1)) return found;
  while (found.length < count) {
    const candidates = Array.from({ length: CANDIDATES }, () =>
      axes.map(({ values }) => anyOf(random, values)),
    );
    const fitting = candidates.filter((chosen) => isVariation(chosen) && isServed(variationOf(chosen)));
    const fresh = fitting.map((chosen) => pairsOf(chosen).filter((pair) => !met.has(pair)).length);
    const best = fresh.indexOf(Math.max(...fresh));
    if (best < 0) continue;
    for (const pair of pairsOf(fitting[best])) met.add(pair);
    found.push(variationOf(fitting[best]));
  }
  return found;
}

/** A stream that no family draws from. */
const STREAM = 2000;

const anyOf = (random: Random, values: readonly string[]) => values[random.int(0, values.length - 1)];
const isVariation = (chosen: readonly string[]) => chosen.some((value, at) => value !== AXES[at].values[0]);

const pairsOf = (chosen: readonly string[]): string[] =>
  chosen.flatMap((x, i) => chosen.slice(i + 1).map((y, j) => `${i} ${x} ${i + 1 + j} ${y}`));

function variationOf(chosen: readonly string[]): Variation {
  const entries = chosen.flatMap((value, at): [string, unknown][] => {
    const { key } = AXES[at];
    if (key === 'factors') {
      const [alpha, beta] = value.split(',').map(Number);
      return [
        ['alpha', alpha],
        ['beta', beta],
      ];
    }
    if (key === 'batch') return [[key, Number(value)]];
    return value === 'none' ? [] : [[key, readStorage(value) as Storage]];
  });
  return Object.fromEntries(entries);
}

const ANY = caseOf({ kernel: 'any', m: 2, k: 3, n: 4 });
const isServed = (variation: Variation) => unserved(changed(ANY, variation)) === undefined;

/** Whether a kernel takes a value of an axis alone. */
function isTaken(takes: Features, key: Axis['key'], value: string): boolean {
  const chosen = AXES.map((axis) => (axis.key === key ? value : axis.values[0]));
  const variation = variationOf(chosen);
  // What lies between the matrices of a batch is seen in a batch alone.
  const batch = value.includes('*') ? { batch: 2 } : {};
  return missing(takes, gemmOf(changed(ANY, { ...variation, ...batch }).problem)) === undefined;
}

/** A case with a variation; of large products fewer, so that it takes no longer. */
export function varied<T extends Case>(value: T, variation: Variation): T {
  const { m, k, n } = value.problem;
  const { batch = 1 } = variation;
  const fewer = Math.max(1, Math.min(batch, Math.floor(MOST_PRODUCTS / Math.max(1, m * k * n))));
  return changed(value, { ...variation, batch: fewer });
}

/** Multiplications in a batch. */
const MOST_PRODUCTS = 2 ** 17;

/**
 * What is met too seldom by chance: sizes of 0 and 1, factors of 0, and what a special path of a kernel may be taken for:
 * vectors, square and aligned matrices, small results of long sums, broadcasts and results of other orders than C.
 */
const EDGES: readonly string[] = [
  'm=5;k=0;n=7',
  'm=5;k=0;n=7;beta=0.5;c=n+2',
  'm=4;k=0;n=6;beta=0.5',
  'm=9;k=0;n=4;beta=1;d=n+1',
  'm=9;k=0;n=4;beta=-2;batch=2',
  'm=0;k=5;n=7;beta=1',
  'm=5;k=6;n=0;a=t+1',
  'm=5;k=6;n=7;batch=0;beta=1',
  'm=0;k=0;n=0',
  'm=8;k=9;n=10;alpha=0',
  'm=8;k=9;n=10;alpha=0;beta=1;d=n',
  'm=17;k=3;n=6;alpha=0;beta=-0.7;c=n+3@1;batch=2',
  'm=8;k=12;n=4;alpha=0;beta=0.5;d=nf+1',
  'm=1;k=33;n=40;a=n+2;b=t+3;c=n+5',
  'm=40;k=33;n=1;a=t+3;b=n+4;c=n+6',
  'm=1;k=33;n=9;batch=4;a=n+1;b=n+2;c=n+3*2;beta=1',
  'm=1;k=1;n=1;alpha=-1;beta=2;batch=3',
  'm=6;k=1;n=9;batch=4;a=n+2;b=n+3;c=n+1',
  'm=3;k=130;n=4;a=t+1;alpha=2;beta=1',
  'm=4;k=67;n=3;b=t+2;beta=0.5',
  'm=2;k=95;n=2;batch=3;beta=-1',
  'm=16;k=16;n=16;a=t;b=t;c=nf;beta=1',
  'm=17;k=17;n=17;a=tf+1;b=t+2;d=nf;beta=0.5',
  'm=12;k=12;n=12;a=t;b=n;alpha=-1',
  'm=20;k=20;n=20;a=nf;b=tf;c=nf+1;d=n+2;beta=2',
  'm=24;k=24;n=24;c=nf+1;d=nf+3;beta=1',
  'm=8;k=12;n=16;a=n@1;b=n@3;c=n@1;beta=1',
  'm=8;k=16;n=12;a=t@2;b=t@1;d=n@3',
  'm=10;k=7;n=64;a=n+1;b=n+1;c=n+1;beta=-1',
  'm=66;k=70;n=65;a=n+1;b=n+1;c=n+1',
  'm=70;k=15;n=90;a=t+1;b=t+1;alpha=0.5;beta=1',
  'm=33;k=19;n=35;a=tf+1;b=nf;alpha=-1;beta=1',
  'm=9;k=11;n=13;batch=3;a=n*same;beta=1',
  'm=9;k=11;n=13;batch=3;b=n*same',
  'm=12;k=12;n=8;batch=4;a=t+1*same;b=t;alpha=2',
  'm=9;k=14;n=10;batch=3;c=n*same;d=n;beta=1',
  'm=9;k=14;n=10;batch=3;c=n+2@5*same;d=n+1;beta=-1',
  'm=7;k=10;n=9;batch=5;a=n+2*3;b=n+1*5;c=n+2*1;beta=0.5',
  'm=16;k=19;n=8;batch=7;a=nf+1;b=tf+1;c=nf+2',
  'm=13;k=39;n=11;alpha=-1;beta=-1;d=n+2',
  'm=31;k=47;n=29;alpha=0.3333333333333333;beta=1',
  'm=45;k=23;n=47;a=t+2;b=t+2;alpha=3',
  'm=18;k=43;n=21;a=tf+2;b=nf+3;c=nf;beta=1;batch=2',
  // The first, the last and one between of lists.
  'm=5;k=0;n=6;group=3;beta=1',
  'm=9;k=14;n=11;group=3',
  'm=33;k=5;n=34;group=5;b=nf+2;beta=-1',
  'm=6;k=33;n=17;group=2;alpha=0.5;d=n+1',
  'm=20;k=7;n=5;group=4;a=t+1;beta=1',
  'm=8;k=8;n=8;group=7',
  'm=3;k=21;n=40;group=4;alpha=2;beta=0.5;d=nf',
  'm=12;k=12;n=9;group=6;a=n+1@2;b=t',
  'm=17;k=20;n=16;group=3;c=nf+1;beta=2',
];

/** The edges that a kernel takes, of whole and of random numbers in turn. */
export function edgesOf(kernel: string, takes: Features, more: Partial<Flat>): Case[] {
  return EDGES.flatMap((text, at) => {
    const input = at % 2 === 0 ? 'integers' : 'uniform';
    const value = changed(parseCase(`kernel=${kernel};input=${input};${text}`), more);
    return missing(takes, gemmOf(value.problem)) === undefined ? [value] : [];
  });
}

/** Whether a case asks for more than A·B of dense matrices. */
export const isWhole = ({ problem: { alpha, beta, batch, m, k, n, ...rest } }: Case): boolean =>
  alpha !== 1 ||
  beta !== 0 ||
  batch !== 1 ||
  rest.group !== 1 ||
  m * k * n === 0 ||
  rest.d !== undefined ||
  [rest.a, rest.b, rest.c].some((storage) => JSON.stringify(storage) !== JSON.stringify(plainStorage));

/** Of five cases of a kernel that belong to no series, two get a variation, where there are any of what it takes. */
export function withVariations<T extends Case & { readonly series: boolean }>(
  all: readonly T[],
  takes: (kernel: string) => Features,
  seed: number,
): T[] {
  const of = ({ kernel, problem }: Case) => `${kernel} ${problem.precision}`;
  const turns = new Map<string, number>();
  const due = all.map((value) => {
    if (value.series || isWhole(value)) return false;
    const turn = turns.get(of(value)) ?? 0;
    turns.set(of(value), turn + 1);
    return turn % 5 === 1 || turn % 5 === 3;
  });
  const counts = new Map<string, number>();
  all.forEach((value, at) => {
    if (due[at]) counts.set(of(value), (counts.get(of(value)) ?? 0) + 1);
  });
  const own = new Map(
    [...counts].map(([key, count]) => [key, variations(takes(key.split(' ')[0]), count, seed).values()]),
  );
  return all.map((value, at) => {
    const variation = due[at] ? own.get(of(value))?.next().value : undefined;
    return variation === undefined ? value : varied(value, variation);
  });
}
