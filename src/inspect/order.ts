import type { Finding, FoundOrder } from './inspection.ts';
import type { Lab, Line } from './lab.ts';
import { type NamedOrder, nameOrder } from './name-order.ts';
import { revealTree } from './reveal-tree.ts';
import { meetingSizes, picture, type Tree } from './summation-tree.ts';
import { dot } from './terms.ts';

/** Entries of A and of B: their products are M and the units. */
interface Scale {
  readonly big: number;
  readonly unit: number;
}

/** From the widest to what sums in f16 hold. */
const SCALES: readonly Scale[] = [
  { big: 2 ** 50, unit: 2 ** -30 },
  { big: 2 ** 15, unit: 2 ** -14 },
  { big: 2 ** 15, unit: 2 ** -7 },
  { big: 2 ** 7, unit: 2 ** -5 },
];

const LENGTHS = { quick: [32], full: [16, 32, 64, 256] };
/** Pairs that a tree is tried on after it is found. */
const TRIED = 48;
/** Milliseconds of one length beyond which no longer one is asked. */
const PATIENCE = 4_000;

/** One length of sum, and the tree found for it; undefined where none explains the outputs. */
interface AtLength {
  readonly k: number;
  readonly tree: Tree | undefined;
  readonly named: NamedOrder | undefined;
}

/** In which order the terms of an entry of C are added. */
export const order: Line = {
  id: 'order',
  question: 'In which order are the terms of a sum added?',
  async ask(lab: Lab): Promise<Finding[]> {
    const found: AtLength[] = [];
    let reason: string | undefined;
    for (const k of lengthsFor(lab)) {
      if (lab.stop()) break;
      const start = performance.now();
      const scale = await scaleFor(lab, k);
      if (scale === undefined) {
        reason = `No power of two was found that swallows ${k} units and leaves them countable.`;
        break;
      }
      const tree = await treeOf(lab, k, scale);
      found.push({ k, tree, named: tree === undefined ? undefined : nameOrder(tree) });
      if (performance.now() - start > PATIENCE) break;
    }
    return [findingOf(lab, found, reason)];
  },
};

function lengthsFor({ asker, quick }: Lab): readonly number[] {
  const inBlock = asker.longestInBlock();
  const lengths = quick ? LENGTHS.quick : LENGTHS.full;
  return inBlock === undefined ? lengths : [inBlock];
}

/** M² and −M² cancel, M² swallows all units, and their sum is exact. */
async function scaleFor(lab: Lab, k: number): Promise<Scale | undefined> {
  const { asker, measured } = lab;
  const bits = measured.accumulatorBits ?? asker.stored.precision;
  for (const scale of SCALES) {
    const { big, unit } = scale;
    const [x, y] = factors(lab, scale);
    if (asker.stored.round(big) !== big || asker.stored.round(unit ** 2) !== unit ** 2) continue;
    if (bits < 100 && 2 * Math.log2(big / unit) <= bits + Math.log2(k) + 1) continue;
    const ones = Array.from({ length: k }, () => [unit, unit] as const);
    const answers = await asker.dots(
      [dot([x, y], [x, -y]), dot([x, -y], [x, y]), dot(...ones), dot([unit, unit])],
      k,
    );
    if ([0, 0, k * unit ** 2, unit ** 2].every((expected, at) => answers[at] === expected)) return scale;
  }
  return undefined;
}

/**
 * Entries of A and B whose product is M. Sums in two words keep a unit beside any power of two, in the second word: there
 * M has more bits than one word.
 */
function factors({ measured }: Lab, { big }: Scale): readonly [number, number] {
  if (measured.sumsInWords !== true) return [big, big];
  const bits = measured.operandBits ?? 2;
  return [big * (1 + 2 ** (1 - bits)), big * (1 + 2 ** (2 - bits))];
}

async function treeOf(lab: Lab, k: number, scale: Scale): Promise<Tree | undefined> {
  const { asker, random } = lab;
  const { unit } = scale;
  const [x, y] = factors(lab, scale);
  const ask = async (pairs: readonly (readonly [number, number])[]) => {
    const questions = pairs.map(([i, j]) => {
      const entries = (big: number, other: number) =>
        Array.from({ length: k }, (_, term) => (term === i ? big : term === j ? other : unit));
      return { a: entries(x, x), b: entries(y, -y) };
    });
    const survivors = await asker.dots(questions, k);
    return survivors.map((sum) => k - sum / unit ** 2);
  };
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

function findingOf(lab: Lab, found: readonly AtLength[], reason: string | undefined): Finding {
  const { measured, asker } = lab;
  const { id, question } = order;
  const told = found.filter((one) => one.named !== undefined);
  if (told.length === 0) {
    const evidence =
      reason ?? `No tree explains what was lost of ${found.map(({ k }) => k).join(', ')} units.`;
    return { id, question, answer: 'cannot be told', value: null, confidence: 'unknown', evidence };
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
  const inner = asker.longestInBlock() === undefined ? '' : ', inside the products of blocks';
  const answer = same
    ? `${orders[0].words}${inner}`
    : `${orders.map(({ k, words }) => `k = ${k}: ${words}`).join('; ')}${inner}`;
  return {
    id,
    question,
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
