import type { FoundOrder } from './inspection.ts';
import type { NamedOrder } from './name-order.ts';
import type { InspectionContext } from './question.ts';
import { makeSparseDot } from './sum-levels.ts';
import { countTerms, listTerms, type SummationNode, type SummationTree } from './summation-tree.ts';
import { powerOfTwoTerm } from './terms.ts';

/** An order whose trees are known for any number of terms. */
interface FamiliarOrder {
  readonly order: FoundOrder;
  readonly words: string;
  /** Number of terms under the sum at which two of k terms meet, exact or as a minimum. */
  meets(i: number, j: number, k: number): { readonly exactly: number } | { readonly atLeast: number };
}

const sequential: FamiliarOrder = {
  order: 'sequential',
  words: 'one after the other, from the first term to the last',
  meets: (i, j) => ({ exactly: Math.max(i, j) + 1 }),
};

const backwards: FamiliarOrder = {
  order: 'sequential',
  words: 'one after the other, from the last term to the first',
  meets: (i, j, k) => ({ exactly: k - Math.min(i, j) }),
};

const pairwise: FamiliarOrder = {
  order: 'pairwise',
  words: 'halves of halves',
  meets(i, j, k) {
    let [from, to] = [0, k];
    for (;;) {
      const middle = from + ((to - from) >> 1);
      if (i < middle !== j < middle) return { exactly: to - from };
      if (i < middle) to = middle;
      else from = middle;
    }
  },
};

const blocks = (each: number): FamiliarOrder => ({
  order: 'blocked',
  words: `blocks of ${each}, added one after the other`,
  meets(i, j, k) {
    const last = Math.max(Math.floor(i / each), Math.floor(j / each));
    const same = Math.floor(i / each) === Math.floor(j / each);
    return { exactly: same ? Math.max(i % each, j % each) + 1 : Math.min(k, (last + 1) * each) };
  },
});

const parts = (count: number): FamiliarOrder => ({
  order: 'split-k',
  words: `${count} parts of k/${count} terms`,
  meets(i, j, k) {
    const each = Math.ceil(k / count);
    if (Math.floor(i / each) !== Math.floor(j / each)) return { atLeast: Math.min(k, each + 1) };
    return { exactly: Math.max(i % each, j % each) + 1 };
  },
});

const lanes = (count: number): FamiliarOrder => ({
  order: 'interleaved',
  words: `${count} lanes, every ${count}th term each`,
  meets: (i, j, k) =>
    i % count === j % count
      ? { exactly: Math.floor(Math.max(i, j) / count) + 1 }
      : { atLeast: Math.floor(k / count) + 1 },
});

const POWERS = [4, 8, 16, 32, 64, 128, 256];

/** Returns the orders to try on long sums, beginning with those found in shorter sums. */
export function familiarOrders(found: readonly NamedOrder[]): FamiliarOrder[] {
  const own = found.flatMap(({ order, each = 0, parts: count = 0 }) => {
    if (order === 'interleaved') return [lanes(count)];
    return order === 'blocked' || order === 'split-k' ? [blocks(each), parts(count)] : [];
  });
  const others = [sequential, backwards, pairwise, ...POWERS.map(blocks)];
  return [...own, ...others, ...POWERS.slice(0, 3).map(parts), ...POWERS.slice(0, 4).map(lanes)];
}

/** Draws pairs of k terms: near ones, ones a power of two apart, and any. */
export function drawTellingPairs(k: number, int: (least: number, most: number) => number) {
  const apart = [
    ...Array.from({ length: 16 }, () => int(1, 7)),
    ...Array.from({ length: 24 }, () => 2 ** int(3, 9)),
  ];
  const near = apart.filter((by) => by < k).map((by) => [int(0, k - 1 - by), by] as const);
  const any = Array.from({ length: 24 }, () => [int(0, (k >> 1) - 1), int(1, k >> 1)] as const);
  return [...near, ...any].map(([i, by]) => [i, i + by] as const);
}

/** Returns the first order that gives all these sizes. */
export function findFittingOrder(
  orders: readonly FamiliarOrder[],
  k: number,
  pairs: readonly (readonly [number, number])[],
  sizes: readonly number[],
): FamiliarOrder | undefined {
  return orders.find((order) =>
    pairs.every(([i, j], at) => {
      const expected = order.meets(i, j, k);
      return 'exactly' in expected ? sizes[at] === expected.exactly : sizes[at] >= expected.atLeast;
    }),
  );
}

/** The least number of terms that the test needs: 1, and four quarters of its last bit. */
const LEAST = 5;

/** Returns the longest sum within a tree that seems to add all its terms at once; undefined where none is long enough. */
export function longestFlat(tree: SummationTree): SummationNode | undefined {
  if (typeof tree === 'number') return undefined;
  if (tree.parts.every((part) => typeof part === 'number'))
    return tree.parts.length < LEAST ? undefined : tree;
  return tree.parts
    .flatMap((part) => longestFlat(part) ?? [])
    .reduce<SummationNode | undefined>(
      (x, y) => (x === undefined || countTerms(y) > countTerms(x) ? y : x),
      undefined,
    );
}

/**
 * True if the order depends on the data: terms are sorted, or separated by sign, before they are added. M and −M then come last, first, or
 * meet last, wherever they stand. The sum seems to add all terms at once, or exactly. The test adds to 1 terms of a quarter of its last
 * bit. They are lost where all terms are aligned to 1, and kept where nothing is lost, whether 1 is the first or the last term. Any other
 * result shows an order that depends on the data.
 */
export async function isDataOrdered(
  { session, measures }: InspectionContext,
  k: number,
  flat: SummationNode,
): Promise<boolean> {
  const { accumulatorBits = 0, storedBits = 0 } = measures;
  const exact = flat.exact === true;
  const bits = exact ? storedBits : accumulatorBits;
  if (bits + 1 > session.reach) return false;
  const terms = listTerms(flat);
  const count = 2 ** Math.floor(Math.log2(terms.length - 1));
  const beside = (places: readonly number[]) => {
    const quarters = places.slice(1, count + 1).map((at) => [at, powerOfTwoTerm(-bits - 1)] as const);
    return makeSparseDot(k, [[places[0], powerOfTwoTerm(0)], ...quarters]);
  };
  const together = makeSparseDot(k, [
    [terms[0], powerOfTwoTerm(0)],
    [terms[1], powerOfTwoTerm(Math.log2(count) - bits - 1)],
  ]);
  const [whole, ...sums] = await session.dots([together, beside(terms), beside([...terms].reverse())], k);
  return sums.some((sum) => sum !== (exact ? whole : 1));
}
