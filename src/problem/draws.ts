import { computeOnce } from '../base/memo.ts';
import { type Chain, NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { makeFactor, type ScaleFactor } from '../matrix/factor.ts';
import type { Features } from '../matrix/features.ts';
import { GENERAL, readStructures } from '../matrix/structure.ts';
import { type FlatCase, plainStorage, type Storage } from './problem.ts';

import { ranges } from './ranges.ts';
import { listTellingSizes } from './size-classes.ts';
import { whyNoEpilogue } from './why-no-epilogue.ts';

/** Returns a random whole number, both ends included. */
export type WholeNumberSource = (least: number, most: number) => number;

/** The ranges of drawn fields. Absent ones have their default values. */
export interface DrawRanges {
  /** The largest m, k and n. */
  readonly maxSize: number;
  /** Sizes of tiles. Sizes near their multiples are drawn more often. */
  readonly tiles: readonly number[];
  /** Sizes where a kernel is known to change its code path. Sizes near them are drawn more often. */
  readonly around?: NearbySizes | undefined;
  /** Levels, the fewest first, each as often as it is listed. */
  readonly levels?: readonly number[];
  /** True if fringes and tails are drawn. */
  readonly methods?: boolean;
  /** Families of test matrices, the simplest first. */
  readonly inputs?: readonly string[];
  readonly edits?: boolean;
  /** Features beyond A·B of dense matrices. */
  readonly features?: Features;
  /** The epilogues of drawn products, `none` included if some have none. @defaultValue none */
  readonly epilogues?: readonly Chain[] | undefined;
}

/** Sizes of some dimensions. */
export type NearbySizes = { readonly [K in 'm' | 'k' | 'n']?: readonly number[] };

/** The distribution of a field. */
export interface FieldDraw<T> {
  /** Draws a value, biased toward faults, given the fields drawn before. Undefined for the default value. */
  any(space: DrawRanges, dice: WholeNumberSource, before: Partial<FlatCase>): T | undefined;
  /** Yields changes that make a case simpler, the largest first. */
  simpler(all: FlatCase, space: DrawRanges): Iterable<Partial<FlatCase>>;
}

export const pickItem = <T>(dice: WholeNumberSource, from: readonly T[]): T => from[dice(0, from.length - 1)];

/** Draws from 1 to the most, log-uniformly. */
const anyCount = (dice: WholeNumberSource, most: number): number =>
  Math.min(most, Math.floor(2 ** (dice(0, Math.round(Math.log2(most + 1) * GRAIN)) / GRAIN)));

/** Steps of a binade. */
const GRAIN = 1000;

/** Yields 1, then values ever closer to the number itself. */
function* smaller(x: number): Generator<number> {
  for (let gap = x - 1; gap >= 1; gap = Math.floor(gap / 2)) yield x - gap;
}

/** Returns the draw of one item of a list of the space, if it has one. An item shrinks to earlier ones. */
export function drawFromList<K extends 'levels' | 'fringe' | 'tail' | 'input'>(
  key: K,
  listOf: (space: DrawRanges) => readonly FlatCase[K][] | undefined,
): FieldDraw<FlatCase[K]> {
  return {
    any(space, dice) {
      const list = listOf(space);
      return list === undefined ? undefined : pickItem(dice, list);
    },
    *simpler(all, space) {
      const list = [...new Set(listOf(space))];
      for (const value of list.slice(0, Math.max(0, list.indexOf(all[key])))) yield { [key]: value };
    },
  };
}

export const seedDraw: FieldDraw<number> = {
  any: (_, dice) => dice(1, 2 ** 32 - 1),
  *simpler({ seed }) {
    for (const value of smaller(seed)) yield { seed: value };
  },
};

/** Draw of an epilogue that fits the drawn product. It shrinks from the end. */
export const epilogueDraw: FieldDraw<string> = {
  any({ epilogues = [] }, dice, before) {
    const fitting = epilogues.filter((chain) => whyNoEpilogue(chain, before) === undefined);
    return fitting.length === 0 ? undefined : pickItem(dice, fitting).text;
  },
  *simpler({ epilogue }, { epilogues = [] }) {
    const steps = epilogue.split(',');
    const shorter = steps.map((_, at) => steps.slice(0, at).join() || NO_EPILOGUE);
    for (const text of shorter) if (epilogues.some((chain) => chain.text === text)) yield { epilogue: text };
  },
};

/** Draw of a structure that is accepted. It shrinks to a general product, or to the first one. */
export const structureDraw: FieldDraw<string> = {
  any: ({ features = {} }, dice) => pickItem(dice, readStructures(features.structure) ?? [GENERAL]),
  *simpler({ structure }, { features = {} }) {
    const [first = GENERAL] = readStructures(features.structure) ?? [];
    if (structure !== first) yield { structure: first };
  },
};

/** Draw of the products before a case. They are not drawn one by one. They shrink to the first of them. */
const drawBefore = (key: 'program' | 'sweep'): FieldDraw<number> => ({
  any: () => undefined,
  *simpler({ [key]: count }) {
    if (count === 0) return;
    yield { [key]: 0 };
    for (const value of smaller(count)) yield { [key]: value };
  },
});
export const programDraw = drawBefore('program');
export const sweepDraw = drawBefore('sweep');

/** Largest small size. Small sizes are also drawn by themselves, since they are fewer than edges. */
const SMALL = 8;
const FEW = 4;
const edges = new WeakMap<DrawRanges, readonly number[]>();

/** Largest size of the uniform draws. Beyond it, draws are log-uniform. */
const LARGE = 64;
/** Largest edge of tiles. Beyond it, tiles have no edges of their own. */
const LARGEST_EDGE = 260;

/** Draws a size. Half of all sizes are at edges where faults show. */
function anySize(space: DrawRanges, dice: WholeNumberSource): number {
  const { maxSize, tiles } = space;
  const own = computeOnce(edges, space, () => listTellingSizes(Math.min(maxSize, LARGEST_EDGE), tiles));
  const way = dice(0, 3);
  if (way < 2) return pickItem(dice, own);
  if (way === 2) return dice(1, Math.min(maxSize, SMALL));
  if (maxSize <= LARGE) return dice(1, maxSize);
  const most = Math.min(maxSize, 2 ** dice(1, Math.ceil(Math.log2(maxSize))));
  return dice(Math.ceil(most / 2), most);
}

/** Draws a size that is sometimes one of few, so that shapes are thin, fat, long and short. */
function oddSize(key: keyof NearbySizes, space: DrawRanges, dice: WholeNumberSource): number {
  if (now(space.features?.empty, dice, 60)) return 0;
  const steps = space.around?.[key] ?? [];
  if (steps.length > 0 && dice(1, 4) === 1)
    return Math.min(space.maxSize, Math.max(1, pickItem(dice, steps) + dice(-2, 2)));
  return dice(1, 6) === 1 ? dice(1, Math.min(space.maxSize, FEW)) : anySize(space, dice);
}

/** Draws of sizes. Three shapes in ten are cubes, which shrink as cubes first. */
export const sizeDraws: { readonly [K in 'm' | 'k' | 'n']: FieldDraw<number> } = {
  m: {
    any: (space, dice) => oddSize('m', space, dice),
    *simpler({ m, k, n }) {
      if (m === k && k === n) for (const size of smaller(m)) yield { m: size, k: size, n: size };
      for (const size of smaller(m)) yield { m: size };
    },
  },
  k: {
    any: (space, dice, { m }) => (dice(1, 3) === 1 ? m : oddSize('k', space, dice)),
    *simpler({ k }) {
      for (const size of smaller(k)) yield { k: size };
    },
  },
  n: {
    any: (space, dice, { m, k }) => (m === k && dice(1, 10) > 1 ? m : oddSize('n', space, dice)),
    *simpler({ n }) {
      for (const size of smaller(n)) yield { n: size };
    },
  },
};

/** Returns a draw of the default value, or sometimes of another one where a feature is drawn. It shrinks to the default. */
function unusual<K extends 'alpha' | 'beta' | 'batch' | 'a' | 'b' | 'c' | 'd'>(
  key: K,
  usual: FlatCase[K],
  any: (features: Features, dice: WholeNumberSource, before: Partial<FlatCase>) => FlatCase[K] | undefined,
): FieldDraw<FlatCase[K]> {
  return {
    any: ({ features = {} }, dice, before) => any(features, dice, before) ?? usual,
    *simpler(all) {
      if (JSON.stringify(all[key]) !== JSON.stringify(usual)) yield { [key]: usual };
    },
  };
}

/** True for one draw in `everyNth`, if the feature is drawn at all. */
const now = (drawn: boolean | undefined, dice: WholeNumberSource, oneIn: number): boolean =>
  drawn === true && dice(1, oneIn) === 1;

/** Usual factors alpha. Those below 1 also serve as weights of the product against the addend. */
const ALPHAS = [-1, 2, 0.5, 0, 1 / 3, -0.7, 3, 0.1, 0.9, 0.01, 0.125];
const BETAS = [1, -1, 0.5, 2, 1 / 3, -0.7];

/** Draws a known factor, one of few bits, which keeps products of whole numbers exact, or one of all bits. */
function factor(known: readonly number[], dice: WholeNumberSource): number {
  const way = dice(1, 4);
  if (way <= 2) return pickItem(dice, known);
  const sign = pickItem(dice, [-1, 1]);
  return way === 3
    ? (sign * anyCount(dice, 255)) / 2 ** dice(0, 6)
    : (sign * dice(2 ** 23, 2 ** 24 - 1)) / 2 ** dice(20, 34);
}

/** Adds an imaginary part to two factors in three, where complex factors are accepted. Half of these have no real part. */
function turned(re: number, isTaken: boolean | undefined, dice: WholeNumberSource): ScaleFactor {
  const way = isTaken === true ? dice(1, 3) : 1;
  if (way === 1) return re;
  const im = factor(BETAS, dice);
  return makeFactor(way === 2 ? 0 : re, im);
}

/** Most products of a group. */
const MOST_GROUPED = ranges.group.most;

/** Most products of a batch, and most entries of its matrices and multiplications. */
const [MOST_BATCH, MOST_OF_BATCH] = [300, 2 ** 20];

/** Most multiplications and entries of a small batch. */
export const SMALL_BATCH = 2 ** 17;

/** Returns the size of a batch, limited by the room for its shape. */
export const batchFor = (
  batch: number,
  { m = 1, k = 1, n = 1 }: Partial<Sizes>,
  most = MOST_OF_BATCH,
): number => Math.min(batch, Math.max(1, Math.floor(most / Math.max(1, m * k * n, m * k, k * n, m * n))));

export const factorDraws: { readonly [K in 'alpha' | 'beta' | 'batch' | 'group']: FieldDraw<FlatCase[K]> } = {
  alpha: unusual('alpha', 1, ({ alpha, complexFactors }, dice) =>
    now(alpha, dice, 5) ? turned(factor(ALPHAS, dice), complexFactors, dice) : undefined,
  ),
  beta: unusual('beta', 0, ({ beta, complexFactors }, dice, { alpha = 1 }) => {
    if (!now(beta, dice, 4)) return undefined;
    const isWeight = typeof alpha === 'number' && alpha > 0 && alpha < 1;
    if (isWeight && dice(1, 2) === 1) return 1 - alpha;
    return turned(factor(BETAS, dice), complexFactors, dice);
  }),
  batch: unusual('batch', 1, ({ batch, empty }, dice, sizes) => {
    if (!now(batch, dice, 8)) return undefined;
    if (now(empty, dice, 12)) return 0;
    return batchFor(dice(1, 2) === 1 ? pickItem(dice, [2, 3, 5]) : anyCount(dice, MOST_BATCH), sizes);
  }),
  group: {
    any: ({ features: { grouped } = {} }, dice) =>
      now(grouped, dice, 16)
        ? pickItem(dice, [2, 3, 4, 7, 2, 3, 4, 7, anyCount(dice, MOST_GROUPED), MOST_GROUPED])
        : 1,
    *simpler({ group }) {
      for (const value of smaller(group)) yield { group: value };
    },
  },
};

const someStorage = (
  features: Features,
  dice: WholeNumberSource,
  isOf: 'operands' | 'addend' | 'result',
): Storage => {
  const { transposed, conjugated, columns, leadingDimensions, offsets, broadcast, interleaved, outOfPlace } =
    features;
  const inc = now(features.strides, dice, 2) ? pickItem(dice, INCREMENTS) : undefined;
  const isListed = now(features.addresses, dice, 2);
  const isShared = isOf === 'operands' || (isOf === 'addend' && outOfPlace === true);
  return {
    op: isOf === 'operands' ? anyOp(transposed, conjugated, dice) : 'n',
    order: now(columns, dice, 6) ? 'column' : 'row',
    pad: now(leadingDimensions, dice, 3) ? entriesBetween(dice) : 0,
    ...(inc && { inc }),
    offset: now(offsets, dice, 6) ? entriesBetween(dice) : 0,
    gap: isListed
      ? 'listed'
      : isShared && now(broadcast, dice, 5)
        ? 'same'
        : now(interleaved === true && leadingDimensions === true, dice, 6)
          ? 'interleaved'
          : now(leadingDimensions, dice, 6)
            ? entriesBetween(dice)
            : 0,
  };
};

/** Draws op. A third of the operands that are not transposed are conjugated. */
const anyOp = (
  transposed: boolean | undefined,
  conjugated: boolean | undefined,
  dice: WholeNumberSource,
): Storage['op'] => (now(transposed, dice, 2) ? 't' : now(conjugated, dice, 3) ? 'c' : 'n');

/** Draws the number of entries between lines and matrices, and before them: few, a cache line, or any number. */
const entriesBetween = (dice: WholeNumberSource): number =>
  dice(1, 2) === 1 ? pickItem(dice, [1, 2, 3, 5, 7, 64]) : anyCount(dice, MOST_BETWEEN);
const MOST_BETWEEN = 600;
const INCREMENTS = [2, 2, 3, 5];

/** Draws of memory layouts. */
export const storageDraws: { readonly [K in 'a' | 'b' | 'c' | 'd']: FieldDraw<FlatCase[K]> } = {
  a: operandDraw('a'),
  b: operandDraw('b'),
  c: unusual('c', plainStorage, (features, dice) =>
    dice(1, 2) === 1 ? someStorage(features, dice, 'addend') : undefined,
  ),
  d: unusual('d', undefined, (features, dice) =>
    now(features.outOfPlace, dice, 5) ? someStorage(features, dice, 'result') : undefined,
  ),
};

function operandDraw<K extends 'a' | 'b'>(key: K): FieldDraw<Storage> {
  return {
    any: ({ features = {} }, dice) => someStorage(features, dice, 'operands'),
    *simpler(all) {
      const own = all[key];
      for (const part of ['gap', 'offset', 'inc', 'pad', 'order', 'op'] as const) {
        if (own[part] !== plainStorage[part]) yield { [key]: { ...own, [part]: plainStorage[part] } };
      }
    },
  };
}

type Sizes = Pick<FlatCase, 'm' | 'k' | 'n'>;

/** Draws of edits for a shape, simplest kinds first. */
const edits: readonly ((dice: WholeNumberSource, sizes: Sizes) => string | undefined)[] = [
  () => 'ones',
  () => 'powers',
  (dice, { m }) => zeroing('zero-rows', m, dice),
  (dice, { n }) => zeroing('zero-columns', n, dice),
  (dice, { k }) => zeroing('zero-inner', k, dice),
  (dice) => `spread:${pickItem(dice, [1, 2, 4, 8, 12, 16, 24, 32, 48])}`,
  (dice) => `cancel:${dice(1, 24)}`,
  (dice) => `special:${dice(1, 4)}`,
  () => 'equal-rows',
  () => 'intercept',
  () => 'patterned',
  () => 'patterned',
  () => 'minus-zeros',
  (_, { m, n }) => (m === n ? 'gram' : undefined),
  (_, { m, k, n }) => (m === k && k === n ? 'squared' : undefined),
  (_, { m, k, n }) => (m === k || k === n ? 'symmetric' : undefined),
  () => 'near-largest',
  () => 'near-least',
  (dice) => `opposed:${pickItem(dice, [1, -10, 10, 60, -100, 100])}`,
  (dice) => `nan:${pickItem(dice, ['row', 'column', 'last'])}`,
  () => 'whole',
  (dice) => `far-bands:${pickItem(dice, [10, 30, 75])}`,
];

/** Zeroes some of the lines, never all: a product of zeros shows nothing. */
function zeroing(edit: string, size: number, dice: WholeNumberSource): string | undefined {
  if (size < 2) return undefined;
  const from = dice(0, size - 1);
  const to = dice(from, from === 0 ? size - 2 : size - 1);
  return `${edit}:${from === to ? from : `${from}-${to}`}`;
}

/** Draw of at most two edits, most often none. */
export const editDraw: FieldDraw<string> = {
  any({ edits: drawn = false }, dice, sizes) {
    if (!drawn) return undefined;
    const count = pickItem(dice, [0, 0, 0, 0, 0, 1, 1, 1, 2]);
    const texts = Array.from({ length: count }, () => pickItem(dice, edits)(dice, sizes as Sizes));
    return texts.filter((text) => text !== undefined).join() || undefined;
  },
  *simpler({ edit }) {
    const parts = edit === 'none' ? [] : edit.split(',');
    if (parts.length > 0) yield { edit: 'none' };
    if (parts.length > 1) for (const part of parts) yield { edit: part };
  },
};
