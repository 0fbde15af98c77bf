import { cutOfParts } from './cut.ts';
import {
  drawTellingPairs,
  familiarOrders,
  findFittingOrder,
  isDataOrdered,
  longestFlat,
} from './familiar-orders.ts';
import type { FoundOrder, InspectionFinding } from './inspection.ts';
import { type NamedOrder, nameOrder } from './name-order.ts';
import { blockAlong, describeOperands } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion, QuestionAnswer } from './question.ts';
import { drawTree, type SummationTree } from './summation-tree.ts';
import { createMeetingFinder, scaleFor, TRIED, treeOf } from './swamping.ts';

/** One length of sum with its tree; the tree is undefined where none explains the outputs. */
interface AtLength {
  readonly k: number;
  readonly tree: SummationTree | undefined;
  readonly named: NamedOrder | undefined;
}

const LENGTHS = { quick: [32], full: [16, 32, 64, 256] };
/** Lengths that are tried where each term has a block of its own. */
const BLOCKS = { quick: [16], full: [4, 16, 32] };
/** The longest sum of three blocks. With three blocks, one sum of blocks is not the last. */
const LONGEST = { quick: 128, full: 3 * 128 };
/** Number of terms after which matrix units add their sums to others. */
const CHUNK = 128;
/** Lengths at which some pairs of terms are tested. */
const LONG = [1024, 8192];
/** Time of one length after which no longer one is tried, in milliseconds. */
const PATIENCE = 4_000;

const SORTED =
  'M and −M seem to meet in one sum with all other terms, but terms beside 1 do not: the order depends on the data.';

/** Search for the order in which the terms of an entry of C are added. */
export const order: InspectionQuestion = {
  id: 'order',
  question: 'In which order are the terms of a sum added?',
  wrongProducts: 'subject',
  async ask(context) {
    if (context.session.stride > 1) context.measures.termsApart = context.session.stride;
    const found: AtLength[] = [];
    let reason: string | undefined;
    for (const k of lengthsFor(context)) {
      if (context.stop()) break;
      const start = context.clock();
      const scale = await scaleFor(context, k);
      if (scale === undefined) {
        reason = unswallowed(context, k);
        break;
      }
      const tree = await treeOf(context, k, scale);
      const flat = tree === undefined ? undefined : longestFlat(tree);
      const isSorted = flat !== undefined && (await isDataOrdered(context, k, flat));
      if (isSorted && flat !== tree) context.known.isSortedWithin = true;
      if (isSorted && flat === tree) {
        found.length = 0;
        context.known.tree = undefined;
        context.known.isSorted = true;
        reason = SORTED;
        break;
      }
      if (tree !== undefined) context.known.tree = { k, tree };
      found.push({ k, tree, named: tree === undefined ? undefined : nameOrder(tree) });
      if (context.clock() - start > PATIENCE) break;
    }
    const long = await longSums(context, found);
    const finding = findingOf(context, found, long, reason);
    return [finding, ...(await cutOfParts(context)), ...(await orderAlone(context, found))];
  },
};

/** Returns the lengths that the kernel accepts, or the lengths of the shapes that it accepts if it accepts none of these k. */
function lengthsFor({ session, quick }: InspectionContext): readonly number[] {
  const inBlock = session.longestInBlock();
  if (inBlock !== undefined) return [inBlock];
  const shortest = Math.max(1, Math.floor(session.home(1, true).k / session.stride));
  const all = session.stride > 1 ? BLOCKS : LENGTHS;
  const asked = [...(quick ? all.quick : all.full), ...threeBlocks(session, quick)].sort((x, y) => x - y);
  const lengths = asked.flatMap((k) => session.taken(k) ?? []);
  return lengths.length === 0 ? [shortest] : [...new Set(lengths)];
}

/**
 * Returns the length of three blocks. Sums of blocks may be added in another order than the terms of one; so may chunks of matrix units.
 */
function threeBlocks({ isFew, stride, sides }: InspectionContext['session'], quick: boolean): number[] {
  if (!isFew || stride > 1) return [];
  return [3 * (blockAlong(sides) ?? CHUNK)].filter((k) => k <= (quick ? LONGEST.quick : LONGEST.full));
}

/** Explains why no power of two is large enough that sums lose units added to it. */
function unswallowed({ session }: InspectionContext, k: number): string {
  if (!session.isFew)
    return `The number 1 was added ${k} times to a large power of two, to see which additions get lost. No power of two was large enough to lose any.`;
  return `${describeOperands(session.sides)} hold products up to 2^${session.reach} apart: no power of two was found beside which sums lose ${k} ones.`;
}

/** The results of some pairs of terms of a long sum. */
interface AtLong {
  readonly k: number;
  readonly pairs: number;
  readonly order?: FoundOrder;
  readonly words: string;
}

/** Tests long sums for familiar orders, since their whole tree would take too long. */
async function longSums(context: InspectionContext, found: readonly AtLength[]): Promise<AtLong[]> {
  const { session, random, quick, stop } = context;
  const named = found.flatMap((one) => one.named ?? []);
  if (quick || named.length === 0 || session.longestInBlock() !== undefined) return [];
  const told: AtLong[] = [];
  for (const k of LONG) {
    const scale = stop() || session.taken(k) !== k ? undefined : await scaleFor(context, k);
    if (scale === undefined) continue;
    const pairs = drawTellingPairs(k, (least, most) => random.int(least, most));
    const sizes = await createMeetingFinder(context, k, scale)(pairs);
    const familiar = findFittingOrder(familiarOrders([...named].reverse()), k, pairs, sizes);
    told.push({
      k,
      pairs: pairs.length,
      words: '',
      ...(familiar && { order: familiar.order, words: familiar.words }),
    });
  }
  return told;
}

function findingOf(
  context: InspectionContext,
  found: readonly AtLength[],
  long: readonly AtLong[],
  reason: string | undefined,
): QuestionAnswer {
  const { measures, session } = context;
  const isSortedWithin = context.known.isSortedWithin === true;
  // Two words keep a unit beside any power of two. That no unit was lost then shows no order.
  const hidden = measures.sumsInWords === true;
  const told = found.filter(({ named }) => named !== undefined && !(hidden && named.order === 'exact'));
  if (told.length === 0) {
    const evidence =
      reason ??
      (hidden ? 'Sums are kept in two words: no unit was lost beside M.' : undefined) ??
      `No tree explains what was lost of ${found.map(({ k }) => k).join(', ')} units.`;
    return { answer: 'cannot be told', value: null, confidence: 'unknown', evidence };
  }
  const wholes = told.map((one) => ({
    k: one.k,
    order: orderIn(one, told),
    words: wordsFor(one, told),
    ...groupsOf(one.named),
    tree: drawTree(one.tree as SummationTree),
  }));
  const orders = [
    ...wholes,
    ...long.flatMap(({ k, pairs, order, words }) =>
      order === undefined ? [] : [{ k, order, words, tree: `${pairs} pairs of terms alone` }],
    ),
  ];
  measures.orders = orders;
  const last = orders[orders.length - 1];
  const whole = wholes[wholes.length - 1];
  measures.order = last.order;
  const groups = alike(orders);
  const [first] = groups;
  const same = groups.length === 1;
  const { m, n } = session.home(whole.k, true);
  const sums = same
    ? first.words
    : groups.map(({ lengths, words }) => `k = ${lengths.join(', ')}: ${words}`).join('; ');
  const inner =
    session.longestInBlock() === undefined ? session.termsInWords() : ', inside the products of blocks';
  return {
    answer: `${same && last.order !== 'other' ? `${last.order}: ` : ''}${sums}${inner}${isSortedWithin ? ', or sorted by size within' : ''}; ${whereSeen(wholes, long)}`,
    value: last.order,
    // Sums that only seem to be exact lose terms that were not tested.
    confidence:
      measures.deterministic === false || isSortedWithin || last.order === 'exact' ? 'likely' : 'measured',
    evidence: `A large M and −M were placed at pairs of terms, and 1 at all others, at ${m}×${whole.k}×${n}. Each 1 that is added between M and −M is lost. Their number, pair by pair, shows the order: ${whole.tree}. ${TRIED} further pairs confirm it.`,
  };
}

/** Returns the groups that are summed first. */
const groupsOf = ({ each, parts }: Partial<NamedOrder> = {}) => ({
  ...(each === undefined ? {} : { each }),
  ...(parts === undefined ? {} : { parts }),
});

/** Groups successive lengths that are summed alike. The order of the parts of long sums may be unknown. */
function alike(orders: readonly { readonly k: number; readonly words: string }[]) {
  const groups: { lengths: number[]; words: string }[] = [];
  for (const { k, words } of orders) {
    const last = groups[groups.length - 1];
    if (last?.words.startsWith(words)) last.lengths.push(k);
    else groups.push({ lengths: [k], words });
  }
  return groups;
}

function whereSeen(wholes: readonly { readonly k: number }[], long: readonly AtLong[]): string {
  const lengths = (some: readonly { readonly k: number }[]) => some.map(({ k }) => k).join(', ');
  const [known, unknown] = [true, false].map((is) =>
    long.filter(({ order }) => (order !== undefined) === is),
  );
  const pairs =
    known.length === 0 ? '' : `; at k = ${lengths(known)}, ${known[0].pairs} pairs of terms agree`;
  const not = unknown.length === 0 ? '' : `; not known at k = ${lengths(unknown)}`;
  return `seen at k = ${lengths(wholes)}${pairs}${not}`;
}

/** Distinguishes blocks, which keep their length when sums get longer, from parts of a split, which keep their number. */
function orderIn({ k, named }: AtLength, all: readonly AtLength[]): FoundOrder {
  const { order = 'other', each, parts } = named ?? {};
  if (order !== 'blocked' && order !== 'split-k') return order;
  const others = all.filter(
    (one) => one.k !== k && (one.named?.order === 'blocked' || one.named?.order === 'split-k'),
  );
  if (others.some((one) => one.named?.each === each)) return 'blocked';
  return others.some((one) => one.named?.parts === parts) ? 'split-k' : order;
}

/** Describes an order. Two chunks can be added in one way only, so that a longer sum gives the description. */
function wordsFor(one: AtLength, all: readonly AtLength[]): string {
  const { words = '', each, parts = 0 } = one.named ?? {};
  const order = orderIn(one, all);
  if (order !== 'blocked' && order !== 'split-k') return words;
  const longer = all.find((other) => {
    const { order, parts = 0 } = other.named ?? {};
    return parts > 2 && (order === 'blocked' || order === 'split-k');
  });
  const how = parts === 2 && longer?.named !== undefined ? longer.named.words : words;
  return order === 'blocked' ? `blocks of ${each}${how}` : `${parts} parts of k/${parts} terms${how}`;
}

/** The longest sum that is tested alone, since each question is then a product. */
const ALONE = 32;

/** Tests that a single inner product, 1×k×1, is summed as one among many. */
async function orderAlone(
  context: InspectionContext,
  found: readonly AtLength[],
): Promise<InspectionFinding[]> {
  const { session, quick } = context;
  const [among] = found.filter(({ k, tree }) => k <= ALONE && tree !== undefined).slice(-1);
  if (quick || context.stop() || among === undefined || session.longestInBlock() !== undefined) return [];
  const { k } = among;
  const shape = { m: 1, k, n: 1 };
  const home = session.home(k, true);
  const scale = await scaleFor(context, k);
  if (session.refuses(shape) !== undefined || home.m === 1 || scale === undefined) return [];
  const tree = await treeOf(context, k, scale, shape);
  const same = JSON.stringify(tree) === JSON.stringify(among.tree);
  return [
    {
      id: 'order-alone',
      question: 'Is a single inner product summed in the same order?',
      answer: same
        ? 'yes'
        : tree === undefined
          ? 'no, in one that cannot be told'
          : `no: ${nameOrder(tree).words}`,
      value: same,
      confidence: tree === undefined ? 'likely' : 'measured',
      evidence: `${tree === undefined ? 'No tree of sums was found' : `The tree of sums is ${drawTree(tree)}`} at 1×${k}×1, and ${drawTree(among.tree as SummationTree)} at ${home.m}×${home.k}×${home.n}.`,
    },
  ];
}
