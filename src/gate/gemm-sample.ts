import { Memo } from '../base/memo.ts';
import { createRandom } from '../base/random.ts';
import type { ScaleFactor } from '../matrix/factor.ts';
import { type Features, features, whyNotAccepted } from '../matrix/features.ts';
import { type Case, caseOf, changeCase, parseCase } from '../problem/case.ts';
import { drawFields } from '../problem/draw-fields.ts';
import { batchFor, SMALL_BATCH } from '../problem/draws.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { type FlatCase, plainStorage } from '../problem/problem.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import type { PlannedCase } from '../run/planned-case.ts';

/** Fields of a case beyond A·B of dense matrices. */
export type Variation = Partial<Pick<FlatCase, (typeof VARYING)[number]>>;
const VARYING = ['alpha', 'beta', 'batch', 'a', 'b', 'c', 'd'] as const;

/** Candidates for each chosen variation. */
const CANDIDATES = 16;
/** A stream that no family draws from. */
const STREAM = 2000;

/**
 * Draws variations with features that a kernel accepts, none of them plain. Each meets as many new pairs of {@link TRAITS} as it can. The
 * result depends only on the seed. A larger count begins with the same variations.
 */
export function variations(takes: Features, count: number, seed: number): Variation[] {
  if (!Object.entries(takes).some(([key, value]) => key !== 'empty' && value === true)) return [];
  const { found, source } = begun.get(`${seed} ${JSON.stringify(takes)}`, () => ({
    found: [],
    source: drawVariations(takes, seed),
  }));
  while (found.length < count) {
    const { done, value } = source.next();
    if (done === true) return [];
    found.push(value);
  }
  return found.slice(0, count);
}

/** The drawn variations of features and a seed, and their source. */
interface BegunVariations {
  readonly found: Variation[];
  readonly source: Generator<Variation, void>;
}

/** Campaigns draw the same variations for several kernels, in different numbers. */
const begun = new Memo<BegunVariations>(8);

function* drawVariations(takes: Features, seed: number): Generator<Variation, void> {
  const space = { maxSize: 1, tiles: [], features: { ...takes, empty: false } };
  const random = createRandom(seed, STREAM);
  const pairs = new MetPairs();
  for (let at = 0; ; at++) {
    // Every other variation is sparse: the first failure of a rich one hides those of a plain one.
    const isSparse = at % 2 === 1;
    const draw = () => {
      const drawn = drawFields(VARYING, space, (least, most) => random.int(least, most));
      const kept = VARYING.filter(() => !isSparse || random.int(1, 3) === 1);
      return Object.fromEntries(kept.map((key) => [key, drawn[key]]));
    };
    const best = bestOf(Array.from({ length: CANDIDATES }, draw), pairs, takes) ?? firstOf(draw, takes);
    if (best === undefined) return;
    pairs.meet(best);
    yield best;
  }
}

/** Returns the candidate of the most new pairs that can be served, the first of equal ones. Few are asked whether they can be. */
function bestOf(candidates: readonly Variation[], pairs: MetPairs, takes: Features): Variation | undefined {
  const fresh = candidates.map((one) => pairs.countNew(one));
  const order = candidates.map((_, at) => at).sort((x, y) => fresh[y] - fresh[x]);
  return order.map((at) => candidates[at]).find((one) => isVariation(one, takes));
}

/** Returns the first of further draws that can be served; none after too many, where a kernel accepts none of the drawn features. */
function firstOf(draw: () => Variation, takes: Features): Variation | undefined {
  for (let tries = CANDIDATES; tries < MOST_TRIES; tries++) {
    const variation = draw();
    if (isVariation(variation, takes)) return variation;
  }
  return undefined;
}
const MOST_TRIES = 400;

const [REAL, COMPLEX] = ['f32', 'c32'].map((precision) =>
  caseOf({ kernel: 'any', m: 2, k: 3, n: 4, precision }),
);

/** Returns a case whose entries allow the accepted features. */
export const widenEntries = ({ conjugated, complexFactors }: Features): Case =>
  conjugated === true || complexFactors === true ? COMPLEX : REAL;

/** True if a variation requests a feature, and the case can be served. */
function isVariation(variation: Variation, takes: Features): boolean {
  const value = changeCase(widenEntries(takes), variation);
  if (whyImpossible(value) !== undefined) return false;
  const gemm = toGemm(value.problem);
  return features.some(({ needs }) => needs(gemm));
}

/**
 * Traits by which a kernel may select a code path, each with few values. A pairwise covering array meets every pair of values of two
 * traits.
 */
const TRAITS: readonly ((variation: Variation) => number)[] = [
  ({ alpha = 1 }) => partsOf(alpha, [1, 0, -1]),
  ({ beta = 0 }) => partsOf(beta, [0, 1, -1]),
  ({ batch = 1 }) => Math.min(3, Math.ceil(Math.log2(batch) / 2)),
  ...(['a', 'b', 'c', 'd'] as const).flatMap((key) => [
    (all: Variation) => ['n', 't', 'c'].indexOf(all[key]?.op ?? 'n'),
    (all: Variation) => Number(all[key]?.order === 'column'),
    (all: Variation) => Number((all[key]?.pad ?? 0) > 0),
    (all: Variation) => Number((all[key]?.offset ?? 0) > 0),
    (all: Variation) => Number((all[key]?.inc ?? 1) > 1),
    (all: Variation) => [0, undefined, 'same', 'interleaved', 'listed'].indexOf(all[key]?.gap),
  ]),
];
/** Returns the index of a factor among known ones: −1 for others, 3 for a factor with an imaginary part. */
const partsOf = (x: ScaleFactor, known: readonly number[]) => (typeof x === 'number' ? known.indexOf(x) : 3);

/** Number of values of a trait, −1 included. */
const VALUES = 6;

/** The pairs of values of two traits that variations have met. */
class MetPairs {
  private readonly count = VALUES * TRAITS.length;
  private readonly met = new Uint8Array(this.count ** 2);

  /** Returns the number of pairs that no variation has met before. */
  countNew(variation: Variation): number {
    let found = 0;
    this.each(variation, (pair) => {
      found += 1 - this.met[pair];
    });
    return found;
  }

  meet(variation: Variation): void {
    this.each(variation, (pair) => {
      this.met[pair] = 1;
    });
  }

  private each(variation: Variation, take: (pair: number) => void): void {
    const values = TRAITS.map((trait, at) => VALUES * at + trait(variation) + 1);
    for (let i = 0; i < values.length; i++)
      for (let j = i + 1; j < values.length; j++) take(values[i] * this.count + values[j]);
  }
}

/** Applies a variation to a case. Large products get smaller batches, so that they take no longer. */
export const applyVariation = <T extends Case>(value: T, variation: Variation): T =>
  changeCase(value, { ...variation, batch: batchFor(variation.batch ?? 1, value.problem, SMALL_BATCH) });

/**
 * Cases that chance meets too seldom: sizes of 0 and 1, factors of 0, and shapes for which a kernel may have a special path: vectors,
 * square and aligned matrices, small results of long sums, broadcasts, and results in other orders than C.
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
  'm=8;k=12;n=10;batch=3;c=n+1*3;d=n+2*7;beta=1',
  // Groups: the first, the last and a middle member of lists.
  'm=5;k=0;n=6;group=3;beta=1',
  'm=9;k=14;n=11;group=3',
  'm=33;k=5;n=34;group=5;b=nf+2;beta=-1',
  'm=6;k=33;n=17;group=2;alpha=0.5;d=n+1',
  'm=20;k=7;n=5;group=4;a=t+1;beta=1',
  'm=8;k=8;n=8;group=7',
  'm=3;k=21;n=40;group=4;alpha=2;beta=0.5;d=nf',
  'm=12;k=12;n=9;group=6;a=n+1@2;b=t',
  'm=17;k=20;n=16;group=3;c=nf+1;beta=2',
  // Heads of attention: scores, and their weighted sums.
  'm=12;k=16;n=12;batch=4;a=n*interleaved;b=t*interleaved',
  'm=13;k=13;n=8;batch=3;b=n*interleaved;c=n+1*interleaved;beta=1',
];

/** Cases of features that few interfaces have: general strides, lists of addresses, and groups of up to a thousand products. */
const SPECIAL_EDGES: readonly string[] = [
  'm=5;k=7;n=6;a=n/2',
  'm=6;k=5;n=7;b=n/3+1',
  'm=7;k=6;n=5;c=n/2',
  'm=9;k=8;n=7;a=n/2;b=n/2;c=n/2;beta=1',
  'm=8;k=9;n=11;a=t/3+2;b=nf/2;c=n/5;d=nf/2+1;beta=0.5',
  'm=1;k=33;n=9;a=n/2;b=t/2+1;c=n/3',
  'm=33;k=9;n=1;a=nf/3;b=n/2+3;c=nf/2',
  'm=12;k=16;n=8;batch=3;a=n/2*5;b=t/3;c=n/2+1;beta=-1',
  'm=8;k=12;n=8;batch=2;a=n*listed;b=n*listed;c=n*listed',
  'm=6;k=9;n=11;batch=7;a=t+1*listed;b=nf*listed;c=n+2*listed;beta=0.5',
  'm=9;k=4;n=5;batch=40;a=n*listed;b=n*listed;c=n*listed',
  'm=7;k=5;n=9;batch=5;a=n*listed;b=n;d=n*listed;beta=1',
  'm=13;k=17;n=3;batch=4;b=n+1@3*listed;c=nf*listed;alpha=2',
  'm=5;k=6;n=7;batch=6;a=n/2*listed;b=n/3*listed;c=n/2*listed',
  'm=8;k=8;n=8;group=1024',
  'm=9;k=8;n=8;group=1024;beta=1',
  'm=9;k=9;n=8;group=1024;alpha=-1',
  'm=7;k=12;n=6;group=257;a=t+1',
];

/** Returns the edge cases that a kernel accepts, with whole and with random numbers in turn. */
export function listEdgeCases(kernel: string, takes: Features, more: Partial<FlatCase>): Case[] {
  const ofComplex = takes.conjugated === true ? EDGES.filter((text) => /[ab]=t/.test(text)) : [];
  const conjugated = ofComplex.map((text) => text.replaceAll(/([ab])=t/g, '$1=c'));
  const ofFactors = takes.complexFactors === true ? FACTOR_EDGES : [];
  return [...EDGES, ...conjugated, ...ofFactors, ...SPECIAL_EDGES].flatMap((text, at) => {
    const input = at % 2 === 0 ? 'integers' : 'uniform';
    const value = changeCase(parseCase(`kernel=${kernel};input=${input};${text}`), more);
    return whyNotAccepted(takes, toGemm(value.problem)) === undefined ? [value] : [];
  });
}

/** Cases where one part of alpha or beta is 0 or 1. */
const FACTOR_EDGES = [
  'm=5;k=6;n=7;alpha=2i',
  'm=5;k=6;n=7;alpha=1-i',
  'm=6;k=9;n=5;beta=i',
  'm=6;k=9;n=5;alpha=-1;beta=1+2i',
  'm=7;k=5;n=3;alpha=0.5+2i;beta=-1-i;c=n+1',
  'm=4;k=8;n=6;alpha=-i;beta=i;a=c;d=n+2',
  'm=4;k=0;n=6;alpha=i;beta=2i',
  'm=8;k=9;n=10;alpha=0;beta=1-2i',
  'm=1;k=1;n=1;alpha=3+i;beta=-2i;batch=3',
];

/** True if a case requests more than A·B of dense matrices. */
export const isWholeGemm = ({ problem: { alpha, beta, batch, m, k, n, ...rest } }: Case): boolean =>
  alpha !== 1 ||
  beta !== 0 ||
  batch !== 1 ||
  rest.group !== 1 ||
  m * k * n === 0 ||
  rest.d !== undefined ||
  [rest.a, rest.b, rest.c].some((storage) => JSON.stringify(storage) !== JSON.stringify(plainStorage));

/** Gives a variation to two of every five fixed cases of a kernel outside series, if the kernel accepts any. */
export function withVariations<T extends PlannedCase>(
  all: readonly T[],
  takes: (kernel: string) => Features,
  seed: number,
): T[] {
  const of = ({ kernel, problem }: Case) => `${kernel} ${problem.precision}`;
  const turns = new Map<string, number>();
  const due = all.map((value) => {
    if (value.series || value.drawn === true || isWholeGemm(value)) return false;
    const turn = turns.get(of(value)) ?? 0;
    turns.set(of(value), turn + 1);
    return turn % 5 === 1 || turn % 5 === 3;
  });
  const counts = new Map<string, number>();
  all.forEach((value, at) => {
    if (due[at]) counts.set(of(value), (counts.get(of(value)) ?? 0) + 1);
  });
  // A smaller count takes the first of a larger one, so kernels that accept the same features share one draw.
  const most = new Map<string, number>();
  const acceptedOf = (key: string) => JSON.stringify(takes(key.split(' ')[0]));
  for (const [key, count] of counts) {
    const accepted = acceptedOf(key);
    most.set(accepted, Math.max(count, most.get(accepted) ?? 0));
  }
  const shared = new Map(
    [...most].map(([accepted, count]) => [accepted, variations(JSON.parse(accepted), count, seed)]),
  );
  const own = new Map([...counts.keys()].map((key) => [key, shared.get(acceptedOf(key))?.values()]));
  return all.map((value, at) => {
    const variation = due[at] ? own.get(of(value))?.next().value : undefined;
    return variation === undefined ? value : applyVariation(value, variation);
  });
}
