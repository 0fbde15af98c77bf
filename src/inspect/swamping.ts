import type { Shape } from '../matrix/dense.ts';
import type { InspectionContext } from './question.ts';
import { type MeetingSizes, revealTree } from './reveal-tree.ts';
import { isDirected } from './sum-bits.ts';
import { meetingSizes, type SummationTree } from './summation-tree.ts';
import { type DotProduct, makeDot } from './terms.ts';

/** Entries of A and of B. Their products are M and the units. */
export interface SwampingScale {
  readonly big: number;
  readonly unit: number;
}

/** Returns scales as far apart as entries of few bits allow. Their products may all be multiplied by a power of two. */
const scalesIn = ({ isFew, reach }: InspectionContext['session']): readonly SwampingScale[] =>
  isFew ? [{ big: 2 ** Math.floor(Math.min(reach, FARTHEST) / 2), unit: 1 }] : SCALES;

/** Largest distance that is tried: no sums but those of two words need more. */
const FARTHEST = 80;

/** The scales, from the widest to those that sums in f16 hold: of sums of parts, and of all sums. */
const SCALES: readonly SwampingScale[] = [
  { big: 2 ** 50, unit: 2 ** -30 },
  { big: 2 ** 15, unit: 2 ** -14 },
  { big: 2 ** 15, unit: 2 ** -7 },
  { big: 2 ** 7, unit: 2 ** -12 },
  { big: 2 ** 7, unit: 2 ** -5 },
];

/** Number of pairs that a found tree is verified on. */
export const TRIED = 48;

/** Finds a scale at which M² and −M² cancel, M² swallows all units, and the sum of the units is exact. */
export async function scaleFor(context: InspectionContext, k: number): Promise<SwampingScale | undefined> {
  const { session, measures } = context;
  const bits = measures.accumulatorBits ?? session.result.precision;
  for (const scale of scalesIn(session)) {
    const { big, unit } = scale;
    const [x, y] = factors(context, scale);
    const { isFew, stored } = session;
    if (!isFew && (stored.round(big) !== big || stored.round(unit ** 2) !== unit ** 2)) continue;
    if (bits < 100 && 2 * Math.log2(big / unit) <= bits + Math.log2(k) + 1) continue;
    const ones = Array.from({ length: k }, () => [unit, unit] as const);
    const apart = Array.from({ length: Math.max(0, k - 2) }, () => [0, 0] as const);
    // Results that hold k − 1 and k hold every possible remainder.
    const answers = await session.dots(
      [
        makeDot([x, y], [x, -y]),
        makeDot([x, -y], [x, y]),
        // Their parts of k may be kept in a narrower range.
        makeDot([x, y], ...apart, [x, -y]),
        makeDot(...ones),
        makeDot(...ones.slice(1)),
        makeDot([unit, unit]),
      ],
      k,
    );
    const expected = [0, 0, 0, k * unit ** 2, (k - 1) * unit ** 2, unit ** 2];
    if (expected.every((one, at) => answers[at] === one)) return scale;
  }
  return undefined;
}

/**
 * Returns entries of A and B whose product is M. Sums in two words keep a unit beside any power of two, in the second word. For these, M
 * has more bits than one word.
 */
function factors({ measures }: InspectionContext, { big }: SwampingScale): readonly [number, number] {
  if (measures.sumsInWords !== true) return [big, big];
  const bits = measures.operandBits ?? 2;
  return [big * (1 + 2 ** (1 - bits)), big * (1 + 2 ** (2 - bits))];
}

/** Makes a function that finds where pairs of k terms meet, in products of a given shape if there is one. */
export function createMeetingFinder(
  context: InspectionContext,
  k: number,
  scale: SwampingScale,
  shape?: Shape,
): MeetingSizes {
  const { session } = context;
  const { unit } = scale;
  const [x, y] = factors(context, scale);
  return async (pairs) => {
    const questions = pairs.map(([i, j]) => {
      const entries = (big: number, other: number) =>
        Array.from({ length: k }, (_, term) => (term === i ? big : term === j ? other : unit));
      return { a: entries(x, x), b: entries(y, -y) };
    });
    const put = (some: readonly DotProduct[]) =>
      shape === undefined ? session.dots(some, k) : session.dotsIn(shape, some);
    const survivors = (await put(questions)).map((sum) => k - sum / unit ** 2);
    if (!isDirected(context.measures.rounding)) return survivors;
    // With rounding toward zero, M swallows a unit, but −M loses a bit of its own. With signs reversed it may not lose any.
    const turned = await put(questions.map(({ a, b }) => ({ a, b: b.map((y) => (y === unit ? y : -y)) })));
    return survivors.map((size, at) => (isSize(size, k) ? size : k - turned[at] / unit ** 2));
  };
}

/** Finds the tree of a sum of k terms; undefined where none explains the lost terms. */
export async function treeOf(
  context: InspectionContext,
  k: number,
  scale: SwampingScale,
  shape?: Shape,
): Promise<SummationTree | undefined> {
  const { random } = context;
  const ask = createMeetingFinder(context, k, scale, shape);
  const pairs = Array.from({ length: TRIED }, () => {
    const i = random.int(0, k - 1);
    return [i, (i + random.int(1, k - 1)) % k] as const;
  });
  const answers = await ask(pairs);
  for (const care of ['quick', 'thorough'] as const) {
    const tree = await revealTree(k, ask, care);
    if (tree === undefined) continue;
    const sizes = meetingSizes(tree, k);
    if (pairs.every(([i, j], at) => sizes[i * k + j] === answers[at])) return tree;
  }
  return undefined;
}

const isSize = (x: number, k: number): boolean => Number.isInteger(x) && x >= 2 && x <= k;
