import { seeded } from '../base/random.ts';
import { settled } from '../fuzz/case-arbitrary.ts';
import type { Target } from '../fuzz/target.ts';
import type { Features } from '../matrix/features.ts';
import { changed } from '../problem/case.ts';
import { coveringDesign, type Extent } from '../problem/covering-design.ts';
import { batchFor, SMALL_BATCH } from '../problem/draws.ts';
import { landmarks, type Sizes } from '../problem/landmarks.ts';
import type { Flat } from '../problem/problem.ts';
import { belongs, sizeClasses } from '../problem/size-classes.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { isDecided } from './decided.ts';
import { type Variation, variations } from './gemm-sample.ts';

/** What a campaign draws beside its fixed cases. */
export interface Draws {
  readonly seed: number;
  /** Designs, each drawn from a seed of its own. */
  readonly rounds: number;
  /** How large the products of a design may be. */
  readonly extent: Extent;
  /** Multiplications of the largest landmark. */
  readonly largest: number;
  /** Every size of each dimension up to it, beside others. */
  readonly sizes: number;
}

/** Streams that no family draws from: of sizes, and of the seeds of cases, which are no secret but differ. */
const [STREAM, SEEDS] = [3000, 4000];
const MOST_SEED = 999_999;

/** The sizes of so many rounds: a covering design and those of every landmark, as far as they are taken. */
export function drawnSizes(
  { seed, rounds, extent, largest }: Draws,
  takes: (sizes: Sizes) => boolean,
): Sizes[] {
  return Array.from({ length: rounds }, (_, round) => {
    const random = seeded(seed, STREAM + round);
    const drawn = landmarks.map(({ draw }) => draw(random));
    const marks = drawn.filter((sizes) => productsOf(sizes) <= largest && takes(sizes));
    return [...coveringDesign(random, { ...extent, takes }), ...marks];
  }).flat();
}

export const productsOf = ({ m, k, n, batch = 1 }: Sizes): number => m * k * n * batch;

/** Entries to draw: a family, and now and then an edit, for what a path may take for granted of its values. */
type Entries = readonly [input: string, edit?: string];

/** Of exact products, and of random entries, the sharpest most often: each with edits after which some check still decides. */
const ENTRIES: readonly (readonly Entries[])[] = [
  [
    ['integers'],
    ['powers-of-two'],
    ['integers', 'zero-rows:0'],
    ['inverse-pair'],
    ['integers', 'opposed:100'],
    ['special-values'],
    ['integers', 'equal-rows'],
    ['permutation'],
    ['integers', 'minus-zeros'],
    ['complementary-zeros'],
    ['integers', 'nan:last'],
    ['integers', 'near-largest'],
    ['integers', 'gram'],
    ['integers', 'opposed:-100'],
    ['integers', 'nan:row'],
    ['bytes'],
    ['integers', 'intercept'],
  ],
  [
    ['uniform'],
    ['uniform-2-5'],
    ['normal'],
    ['uniform', 'spread:24'],
    ['wide-exponents'],
    ['uniform', 'opposed:-100'],
    ['scaled-rows'],
    ['uniform', 'minus-zeros'],
    ['relu'],
    ['uniform', 'cancel:8'],
    ['softmax'],
    ['uniform', 'near-least'],
    ['uniform-0-1', 'near-largest'],
    ['uniform', 'nan:column'],
    ['decimals'],
    ['measurements'],
    ['uniform', 'intercept'],
    ['unit-rows'],
  ],
];

/** Exact ones where all sizes are the same, and symmetry is to be had. */
const OF_CUBES: readonly Entries[] = [['integers', 'symmetric'], ['integers', 'gram'], ['integers']];
const isCube = ({ m, k, n }: Sizes): boolean => m === k && k === n;

/** The family whose errors are random in sums of any length. */
const RANDOM = 'uniform';

/** The edit whose entries leave no room for factors, nor for what fast algorithms of others add: it is never varied. */
const FULL = 'near-largest';

/** The shortest sums of families whose products would else be zero alone. */
const LEAST: Readonly<Record<string, number>> = { 'complementary-zeros': 16 };

/** Beyond so many multiplications, or entries of one matrix, sizes meet one family, not one of each kind. */
const LARGE = 2 ** 20;

const isLarge = (sizes: Sizes): boolean => weightOf(sizes) > LARGE;

/** Multiplications, or entries of one matrix where these are more. */
const weightOf = ({ m, k, n, batch = 1 }: Sizes): number =>
  batch * Math.max(OF_A_PRODUCT, m * k * n, m * k, k * n, m * n);

/** Multiplications that take as long as one product of a batch takes beside its own. */
const OF_A_PRODUCT = 64;

/** Who is drawn for. */
type Drawn = Pick<Target, 'kernel' | 'precision' | 'claimed' | 'refuses'> & { readonly levels?: number };

/** How it is drawn. */
export interface Drawing {
  readonly seed: number;
  /** What is drawn beyond A·B of dense matrices. */
  readonly features: Features;
  /** Whether a family is drawn from. */
  readonly inputs: (name: string) => boolean;
  /** Whether all sizes meet one family, as large ones do, and batches are small. @defaultValue false */
  readonly few?: boolean | undefined;
  /** Variations that all have, each of sizes. @defaultValue some of what is drawn beyond A·B, of every other case */
  readonly variations?: ((all: readonly Sizes[]) => readonly Variation[]) | undefined;
  /** The entries of all. @defaultValue those of each kind in turn */
  readonly entries?: Entries | undefined;
}

/**
 * Cases on drawn sizes: of each, one whose products are exact and one of random entries, of which one is the plain
 * product and one a variation; of large ones one of these in turn.
 * @param who whom the sizes in a place are for.
 */
export function drawnCases(
  shapes: readonly Sizes[],
  who: (at: number) => Drawn,
  { seed, features, inputs, few = false, variations: given, entries }: Drawing,
): PlannedCase[] {
  const all = entries === undefined ? [OF_CUBES, ...ENTRIES] : [[entries], [entries], [entries]];
  const [ofCubes, ...kinds] = all.map((kind) => kind.filter(([input]) => inputs(input)));
  const varying = given?.(shapes) ?? variations(features, shapes.length, seed);
  const seeds = seeded(seed, SEEDS + shapes.length);
  return shapes.flatMap((sizes, at) => {
    const { levels = 0, ...target } = who(at);
    const large = few || isLarge(sizes);
    const isRoomy = given === undefined && (target.claimed?.(sizes) ?? 0) === 0;
    return (large ? [at % 2] : [0, 1]).flatMap((which): PlannedCase[] => {
      const fitting = (isCube(sizes) && which === 0 ? ofCubes : kinds[which]).filter(
        ([input, edit]) => sizes.k >= (LEAST[input] ?? 0) && (edit !== FULL || isRoomy),
      );
      if (fitting.length === 0) return [];
      const half = Math.floor(at / 2);
      const [round, turn] = [Math.floor(half / fitting.length), half % fitting.length];
      const [input, edit = 'none'] = fitting[turn];
      const others = [...fitting.slice(turn), ...fitting.slice(0, turn)].map(([name]) => name);
      // What is varied in one round of the families is plain in the next.
      const isVaried = given !== undefined || (large ? round + turn : at + which) % 2 === 1;
      const variation = isVaried && edit !== FULL ? variationFor(sizes, varying[at], few) : {};
      const own = seeds.int(1, MOST_SEED);
      const of = (more: Variation, entries: Pick<Flat, 'input' | 'edit'>, families: readonly string[]) =>
        settled({ ...sizes, ...more, levels, seed: own, ...entries }, target, families);
      const made = of(variation, { input, edit }, others) ?? of({}, { input, edit }, others);
      if (made === undefined) return [];
      // Where nothing would decide it, random entries do.
      const isLeft = isDecided(made) || !inputs(RANDOM);
      const found = isLeft ? made : (of(variation, { input: RANDOM, edit: 'none' }, [RANDOM]) ?? made);
      return [{ ...found, series: false, drawn: true }];
    });
  });
}

/** A variation of sizes that may be a batch themselves. */
function variationFor(sizes: Sizes, variation: Variation = {}, few: boolean): Variation {
  const { batch = 1 } = variation;
  return { ...variation, batch: sizes.batch ?? batchFor(batch, sizes, few ? SMALL_BATCH : undefined) };
}

/** Multiplications up to which cases are asked for again, in changing company, and how often; of the largest of each class of sizes, whose entries count too, and of the smallest case of all. */
const REPEATED = {
  small: { most: 2 ** 17, times: 3 },
  largest: { most: 2 ** 21, times: 10 },
  smallest: { most: 2 ** 9, times: 1000 },
};

/**
 * The same cases, asked for several times.
 * @param isQuick whether calls of the kernel cost little: then one of the small cases is asked for a thousand times.
 */
export function withRepeats(cases: readonly PlannedCase[], isQuick: boolean): PlannedCase[] {
  const often = largestOfClasses(cases);
  const { small, largest, smallest } = REPEATED;
  const most = cases.find(({ problem }) => problem.edit === 'none' && isWithin(problem, smallest.most));
  return cases.map((value) => {
    const repeats = often.has(value)
      ? largest.times
      : value === most && isQuick
        ? smallest.times
        : isWithin(value.problem, small.most)
          ? small.times
          : 1;
    return repeats === 1 ? value : { ...value, ...changed(value, { repeats }) };
  });
}

const isWithin = (problem: Sizes, most: number) => productsOf(problem) > 0 && productsOf(problem) <= most;

/** Of each class of sizes of each dimension, and of those beyond all classes, the largest case that is asked for again. */
function largestOfClasses(cases: readonly PlannedCase[]): Set<PlannedCase> {
  const most = new Map<string, PlannedCase>();
  for (const value of cases) {
    const { problem } = value;
    const products = productsOf(problem);
    if (products === 0 || weightOf(problem) > REPEATED.largest.most || problem.edit !== 'none') continue;
    for (const key of ['m', 'k', 'n'] as const) {
      const own = sizeClasses.filter((one) => belongs(problem[key], one)).map(({ name }) => name);
      for (const name of own.length === 0 ? ['beyond'] : own) {
        const before = most.get(`${key} ${name}`);
        if (before === undefined || productsOf(before.problem) < products) most.set(`${key} ${name}`, value);
      }
    }
  }
  return new Set(most.values());
}
