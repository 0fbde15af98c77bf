import type { Random } from '../base/random.ts';
import type { Features } from '../matrix/features.ts';
import { type BatchedShape, OPS } from '../problem/boundary-shapes.ts';
import { changeCase } from '../problem/case.ts';
import { drawFields } from '../problem/draw-fields.ts';
import { type DrawRanges, pickItem, type WholeNumberSource } from '../problem/draws.ts';

import { type FlatCase, type Op, plainStorage, type Storage } from '../problem/problem.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import { type Variation, widenEntries } from './gemm-sample.ts';

/** Most draws for a value that is not the usual one, and for a variation that can be served. */
const TRIES = 40;

/** One in this many batches shares A or B. One in this many pairs of factors adds up to 1. */
const [SHARED, WEIGHTS] = [3, 3];
/** One in this many products has blocks of a larger matrix. Its lines have at most this many entries more than the longest. */
const [CUT_OUT, MOST_APART] = [8, 9];

/**
 * Draws variations with many features at once, like calls of libraries: half of them have an alpha, a beta or a batch, and each matrix has
 * its own storage. {@link variations} rarely meets the interactions of three or four features.
 */
export function richVariations(takes: Features, all: readonly BatchedShape[], random: Random): Variation[] {
  const dice = (least: number, most: number) => random.int(least, most);
  return all.map((sizes) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const variation = richOf(takes, sizes, dice);
      if (whyImpossible(changeCase(widenEntries(takes), variation)) === undefined) return variation;
    }
    return {};
  });
}

function richOf(takes: Features, sizes: BatchedShape, dice: WholeNumberSource): Variation {
  const factors = factorsOf(takes, dice);
  const laid = { ...drawFields(['a', 'b', 'c', 'd'], spaceOf(takes), dice), ...factors };
  const isBatch = takes.broadcast === true && (sizes.batch ?? factors.batch ?? 1) > 1;
  const shared = isBatch && dice(1, SHARED) === 1 ? pickItem(dice, ['a', 'b'] as const) : undefined;
  const rich: Variation =
    shared === undefined ? laid : { ...laid, [shared]: { ...(laid[shared] ?? plainStorage), gap: 'same' } };
  return takes.leadingDimensions === true && dice(1, CUT_OUT) === 1
    ? cutOut(sizes, rich, dice(1, MOST_APART))
    : rich;
}

/** Draws each accepted factor with probability 1/2. Sometimes the two factors are weights that add up to 1. */
function factorsOf(takes: Features, dice: WholeNumberSource): Pick<Variation, 'alpha' | 'beta' | 'batch'> {
  const asked = (['alpha', 'beta', 'batch'] as const).filter(
    (key) => takes[key] === true && dice(1, 2) === 1,
  );
  const drawn = Object.fromEntries(asked.map((key) => [key, unusual(key, takes, dice)]));
  const { alpha = 1, beta } = drawn;
  const areWeights =
    typeof alpha === 'number' && alpha > 0 && alpha < 1 && beta !== undefined && dice(1, WEIGHTS) === 1;
  return areWeights ? { ...drawn, beta: 1 - alpha } : drawn;
}

function unusual<K extends keyof typeof USUAL>(
  key: K,
  takes: Features,
  dice: WholeNumberSource,
): FlatCase[K] | number {
  for (let tries = 0; tries < TRIES; tries++) {
    const value = drawFields([key], spaceOf(takes), dice)[key] ?? USUAL[key];
    if (value !== USUAL[key] && value !== 0) return value;
  }
  return USUAL[key];
}
const USUAL = { alpha: 1, beta: 0, batch: 1 };

const spaceOf = (takes: Features): DrawRanges => ({
  maxSize: 1,
  tiles: [],
  features: { ...takes, empty: false },
});

/** Assigns each op(A) and op(B) in rotation. Each rotation starts one later, so that it is in step with nothing else. */
export const assignOpsInTurn =
  (ops: readonly (readonly [Op, Op])[]) =>
  ({ a = plainStorage, b = plainStorage, ...rest }: Variation, at: number): Variation => {
    const [ofA, ofB] = ops[(at + Math.floor(at / ops.length)) % ops.length];
    return { ...rest, a: { ...a, op: ofA }, b: { ...b, op: ofB } };
  };

export const withOps = assignOpsInTurn(OPS);

/** Makes all matrices blocks of one larger matrix, so that their lines have the same distance. */
function cutOut({ m, k, n }: BatchedShape, variation: Variation, more: number): Variation {
  const line = Math.max(m, k, n) + more;
  const padded = (storage: Storage | undefined, rows: number, cols: number): Storage => {
    const { op, order, inc: _, ...rest } = storage ?? plainStorage;
    const entries = (op !== 'n') === (order === 'column') ? cols : rows;
    return { ...rest, op, order, pad: line - entries };
  };
  const { a, b, c, d } = variation;
  return {
    ...variation,
    ...{ a: padded(a, m, k), b: padded(b, k, n), c: padded(c, m, n) },
    ...(d === undefined ? {} : { d: padded(d, m, n) }),
  };
}
