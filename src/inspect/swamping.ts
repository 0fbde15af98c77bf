import type { Shape } from '../matrix/dense.ts';
import type { InspectionContext } from './question.ts';
import { isDirected } from './sum-bits.ts';
import { countTerms, meetingSizes, type SummationNode, type SummationTree } from './summation-tree.ts';
import { type DotProduct, makeDot } from './terms.ts';

/** Entries of A and of B. Their products are M and the units. */
interface SwampingScale {
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

/**
 * Returns, for pairs of terms, the number of terms under the sum at which they meet. These are the terms that are lost when one of the pair
 * is +M, the other −M, and all others are units that M swallows.
 */
export type MeetingSizes = (pairs: readonly (readonly [number, number])[]) => Promise<number[]>;

/** A tree, and the measured size at which the parts of its root meet. */
interface Grown {
  readonly tree: SummationTree;
  readonly meet: number;
}

/**
 * Reconstructs the tree of a sum from outputs alone: FPRev (Xie, Gao, Wang, Xue, *Revealing Floating-Point Accumulation Orders in
 * Software/Hardware Implementations*, arXiv 2411.00442), its divide-and-conquer version with sums of more than two parts. The terms are
 * sorted by where they meet a pivot term. Terms that meet it in the same sum form a part of that sum and are sorted in turn. The first and
 * the last term take turns as the pivot, so that a sequential sum takes one round in either direction. The paper leaves out sums that lose
 * nothing among their parts. Sizes smaller than the sets that they come from reveal these sums.
 * @param care `quick`: terms that all meet their neighbors and one of them in one sum count as its parts, without a test of every pair. The
 * result is to be tried on other pairs.
 * @returns undefined where no tree gives these sizes.
 */
export async function revealTree(
  count: number,
  ask: MeetingSizes,
  care: 'quick' | 'thorough' = 'thorough',
): Promise<SummationTree | undefined> {
  const together = batching(ask);
  const flat = async (terms: readonly number[], size: number): Promise<boolean> => {
    const neighbors = terms.slice(1).map((term, at) => [terms[at], term] as const);
    return (await together(neighbors)).every((one) => one === size);
  };
  const grow = async (terms: readonly number[], outer: number, depth: number): Promise<Grown | undefined> => {
    if (terms.length === 1) return { tree: terms[0], meet: 0 };
    const pivot = depth % 2 === 0 ? terms[0] : terms[terms.length - 1];
    const others = terms.filter((term) => term !== pivot);
    const sizes = await together(others.map((term) => [pivot, term] as const));
    if (care === 'quick' && sizes.every((size) => size === outer) && (await flat(terms, outer))) {
      return { tree: { parts: terms }, meet: outer };
    }
    const classes = new Map<number, number[]>();
    others.forEach((term, at) => {
      classes.set(sizes[at], [...(classes.get(sizes[at]) ?? []), term]);
    });
    const ascending = [...classes].sort(([x], [y]) => x - y);
    const parts = await Promise.all(ascending.map(([meet, members]) => grow(members, meet, depth + 1)));
    let grown: Grown | undefined = { tree: pivot, meet: 0 };
    for (const [at, [meet]] of ascending.entries()) {
      const part = parts[at];
      grown = part === undefined || grown === undefined ? undefined : join(grown, part, meet, outer);
    }
    return grown;
  };
  const all = Array.from({ length: count }, (_, term) => term);
  const grown = await grow(all, Number.NaN, 0);
  return grown === undefined ? undefined : sorted(grown.tree);
}

/** Joins a tree and a part at the sum with `meet` measured terms under it. */
function join(tree: Grown, part: Grown, meet: number, outer: number): Grown | undefined {
  const [here, there] = [countTerms(tree.tree), countTerms(part.tree)];
  const partsOf = (one: Grown): readonly SummationTree[] =>
    one.meet === meet && typeof one.tree !== 'number' ? one.tree.parts : [one.tree];
  // The sum that all these are parts of is found further out.
  if (meet === outer) return { tree: { parts: [...partsOf(tree), ...partsOf(part)] }, meet };
  if (meet === here + there) return { tree: { parts: [tree.tree, ...partsOf(part)] }, meet };
  return exactSum(tree, part, meet);
}

/** Makes a sum that loses nothing: a pair that meets in it takes only the terms of its own two parts. */
function exactSum(tree: Grown, part: Grown, meet: number): Grown | undefined {
  const exact = (parts: readonly SummationTree[]): Grown => ({ tree: { parts, exact: true }, meet });
  if (typeof part.tree !== 'number') {
    const { parts } = part.tree;
    const alike = parts.every((one) => meet === countTerms(tree.tree) + countTerms(one));
    if (part.meet === meet || alike) return exact([tree.tree, ...parts]);
  }
  if (typeof tree.tree === 'number' || tree.tree.exact !== true) return undefined;
  const [own] = tree.tree.parts;
  return meet === countTerms(own) + countTerms(part.tree)
    ? exact([...tree.tree.parts, part.tree])
    : undefined;
}

/** Sorts the parts of each sum by their first terms. */
function sorted(tree: SummationTree): SummationTree {
  const first = (one: SummationTree): number => (typeof one === 'number' ? one : first(one.parts[0]));
  if (typeof tree === 'number') return tree;
  const parts = tree.parts.map(sorted).sort((x, y) => first(x) - first(y));
  return { ...(tree as SummationNode), parts };
}

/** Combines questions that are asked at the same time into one. */
function batching(ask: MeetingSizes): MeetingSizes {
  let waiting: { pairs: Parameters<MeetingSizes>[0]; settle: (sizes: Promise<number[]>) => void }[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const flush = () => {
    const batch = waiting;
    waiting = [];
    const answers = last.then(() => ask(batch.flatMap(({ pairs }) => pairs)));
    last = answers.catch(() => {});
    let from = 0;
    for (const { pairs, settle } of batch) {
      const [start, end] = [from, from + pairs.length];
      settle(answers.then((sizes) => sizes.slice(start, end)));
      from = end;
    }
  };
  return (pairs) =>
    new Promise((settle) => {
      if (waiting.length === 0) setTimeout(flush, 0);
      waiting.push({ pairs, settle });
    });
}
