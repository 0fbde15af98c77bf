import type { Finding, FoundOrder } from './inspection.ts';
import { type NamedOrder, nameOrder } from './name-order.ts';
import type { Answer, Context, Question } from './question.ts';
import { picture, type Tree } from './summation-tree.ts';
import { scaleFor, TRIED, treeOf } from './swamping.ts';

/** One length of sum, and the tree found for it; undefined where none explains the outputs. */
interface AtLength {
  readonly k: number;
  readonly tree: Tree | undefined;
  readonly named: NamedOrder | undefined;
}

const LENGTHS = { quick: [32], full: [16, 32, 64, 256] };
/** Milliseconds of one length beyond which no longer one is asked. */
const PATIENCE = 4_000;

/** In which order the terms of an entry of C are added. */
export const order: Question = {
  id: 'order',
  question: 'In which order are the terms of a sum added?',
  async ask(context) {
    const found: AtLength[] = [];
    let reason: string | undefined;
    for (const k of lengthsFor(context)) {
      if (context.stop()) break;
      const start = performance.now();
      const scale = await scaleFor(context, k);
      if (scale === undefined) {
        reason = `No power of two was found that swallows ${k} units and leaves them countable.`;
        break;
      }
      const tree = await treeOf(context, k, scale);
      found.push({ k, tree, named: tree === undefined ? undefined : nameOrder(tree) });
      if (performance.now() - start > PATIENCE) break;
    }
    return [findingOf(context, found, reason), ...(await orderAlone(context, found))];
  },
};

/** Lengths that the kernel takes as they are; where it takes no such k, those of the shapes that it does take. */
function lengthsFor({ session, quick }: Context): readonly number[] {
  const inBlock = session.longestInBlock();
  if (inBlock !== undefined) return [inBlock];
  const shortest = session.home(1, true).k;
  const lengths = (quick ? LENGTHS.quick : LENGTHS.full).flatMap((k) => session.taken(k) ?? []);
  return lengths.length === 0 ? [shortest] : [...new Set(lengths)];
}

function findingOf(context: Context, found: readonly AtLength[], reason: string | undefined): Answer {
  const { measured, session } = context;
  const told = found.filter((one) => one.named !== undefined);
  if (told.length === 0) {
    const evidence =
      reason ?? `No tree explains what was lost of ${found.map(({ k }) => k).join(', ')} units.`;
    return { answer: 'cannot be told', value: null, confidence: 'unknown', evidence };
  }
  const orders = told.map((one) => ({
    k: one.k,
    order: orderIn(one, told),
    words: wordsFor(one, told),
    tree: picture(one.tree as Tree),
  }));
  measured.orders = orders;
  const last = orders[orders.length - 1];
  measured.order = last.order;
  const same = orders.every(({ words }) => words === orders[0].words);
  const inner = session.longestInBlock() === undefined ? '' : ', inside the products of blocks';
  const answer = same
    ? `${orders[0].words}${inner}`
    : `${orders.map(({ k, words }) => `k = ${k}: ${words}`).join('; ')}${inner}`;
  return {
    answer: same && last.order !== 'other' ? `${last.order}: ${answer}` : answer,
    value: last.order,
    confidence: 'measured',
    evidence: `How many of ${last.k} units M and −M swallow, for each pair of places: ${last.tree}; ${TRIED} pairs more agree.`,
  };
}

/** Blocks keep their length when sums get longer, parts of a split their number. */
function orderIn({ k, named }: AtLength, all: readonly AtLength[]): FoundOrder {
  const { order = 'other', each, parts } = named ?? {};
  if (order !== 'blocked' && order !== 'split-k') return order;
  const others = all.filter(
    (one) => one.k !== k && (one.named?.order === 'blocked' || one.named?.order === 'split-k'),
  );
  if (others.some((one) => one.named?.each === each)) return 'blocked';
  return others.some((one) => one.named?.parts === parts) ? 'split-k' : order;
}

/** An order in words; where two chunks could be added in one way only, that of a longer sum. */
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

/** The longest sum that is asked alone: each question is a product then. */
const ALONE = 32;

/** Whether a single inner product, 1×k×1, is summed as one among many. */
async function orderAlone(context: Context, found: readonly AtLength[]): Promise<Finding[]> {
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
      evidence: `${tree === undefined ? 'No tree explains' : picture(tree)} in 1×${k}×1, ${picture(among.tree as Tree)} in ${home.m}×${home.k}×${home.n}.`,
    },
  ];
}
