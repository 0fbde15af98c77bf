import { type Node, sizeOf, type Tree } from './summation-tree.ts';

/**
 * Asks for pairs of terms how many terms lie under the sum at which they meet: those that are lost when one of the pair
 * is +M, the other −M and all others are units that M swallows.
 */
export type MeetingSizes = (pairs: readonly (readonly [number, number])[]) => Promise<number[]>;

/** A tree, and what was measured where the parts of its root meet. */
interface Grown {
  readonly tree: Tree;
  readonly meet: number;
}

/**
 * The tree of a sum from outputs alone: FPRev (Xie, Gao, Wang, Xue, *Revealing Floating-Point Accumulation Orders in
 * Software/Hardware Implementations*, arXiv 2411.00442), its divide-and-conquer version with sums of more than two parts.
 * The terms are sorted by where they meet one of them; those that meet it in the same sum form a part of that sum and
 * are sorted in turn. The first and the last term take turns as that one, so that a sum one by one takes one round,
 * whatever its direction. Sums that lose nothing among their parts, which the paper leaves out, are told by sizes that
 * are smaller than the sets they come from.
 * @param care `quick` takes terms that all meet their neighbours and one of them in one sum for its parts, without asking
 *   every pair of them: to be tried on other pairs.
 * @returns undefined where no tree gives these sizes.
 */
export async function revealTree(
  count: number,
  ask: MeetingSizes,
  care: 'quick' | 'thorough' = 'thorough',
): Promise<Tree | undefined> {
  const together = batching(ask);
  const flat = async (terms: readonly number[], size: number): Promise<boolean> => {
    const neighbours = terms.slice(1).map((term, at) => [terms[at], term] as const);
    return (await together(neighbours)).every((one) => one === size);
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

/** The sum at which a tree meets a part, `meet` terms being under it as measured. */
function join(tree: Grown, part: Grown, meet: number, outer: number): Grown | undefined {
  const [here, there] = [sizeOf(tree.tree), sizeOf(part.tree)];
  const partsOf = (one: Grown): readonly Tree[] =>
    one.meet === meet && typeof one.tree !== 'number' ? one.tree.parts : [one.tree];
  // The sum that all these are parts of is found further out.
  if (meet === outer) return { tree: { parts: [...partsOf(tree), ...partsOf(part)] }, meet };
  if (meet === here + there) return { tree: { parts: [tree.tree, ...partsOf(part)] }, meet };
  return exactSum(tree, part, meet);
}

/** A sum that loses nothing: of the terms under it, a pair takes only those of its own two parts. */
function exactSum(tree: Grown, part: Grown, meet: number): Grown | undefined {
  const exact = (parts: readonly Tree[]): Grown => ({ tree: { parts, exact: true }, meet });
  if (typeof part.tree !== 'number') {
    const { parts } = part.tree;
    const alike = parts.every((one) => meet === sizeOf(tree.tree) + sizeOf(one));
    if (part.meet === meet || alike) return exact([tree.tree, ...parts]);
  }
  if (typeof tree.tree === 'number' || tree.tree.exact !== true) return undefined;
  const [own] = tree.tree.parts;
  return meet === sizeOf(own) + sizeOf(part.tree) ? exact([...tree.tree.parts, part.tree]) : undefined;
}

/** The parts of each sum by their first terms. */
function sorted(tree: Tree): Tree {
  const first = (one: Tree): number => (typeof one === 'number' ? one : first(one.parts[0]));
  if (typeof tree === 'number') return tree;
  const parts = tree.parts.map(sorted).sort((x, y) => first(x) - first(y));
  return { ...(tree as Node), parts };
}

/** Puts questions that are asked at the same time into one. */
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
