import type { FoundOrder } from './inspection.ts';
import {
  countTerms,
  isRun,
  listAdditionOrder,
  listTerms,
  relabelTree,
  type SummationNode,
  type SummationTree,
} from './summation-tree.ts';

/** The name of an order of summation. */
export interface NamedOrder {
  readonly order: FoundOrder;
  /** Description: "one after the other, from the first term to the last". Of blocks and parts it says how they are added. */
  readonly words: string;
  /** Terms of a block, lane or part that is summed first. */
  readonly each?: number;
  /** Number of these blocks, lanes or parts. */
  readonly parts?: number;
}

/** Names a tree. A tree without a name is `other`, with a description. */
export function nameOrder(tree: SummationTree): NamedOrder {
  if (typeof tree === 'number') return { order: 'sequential', words: 'a single term' };
  const run = isRun(tree);
  if (tree.exact === true && tree.parts.every((part) => typeof part === 'number')) {
    return { order: 'exact', words: 'all at once, nothing lost' };
  }
  if (run !== undefined && tree.parts.length === 2) {
    const way = run.step > 0 ? 'from the first term to the last' : 'from the last term to the first';
    return { order: 'sequential', words: `one after the other, ${way}` };
  }
  const named = fused(tree) ?? pairwise(tree) ?? grouped(tree) ?? permuted(tree) ?? split(tree);
  return named ?? { order: 'other', words: describe(tree) };
}

/** Terms of a permutation that are shown. */
const SHOWN = 6;

/** Names a tree whose order is known once its terms are renumbered in the order of addition. */
function permuted(tree: SummationNode): NamedOrder | undefined {
  const added = listAdditionOrder(tree);
  const places = new Map(added.map((term, at) => [term, at]));
  if (added.every((term, at) => term === at)) return undefined;
  const named = nameOrder(relabelTree(tree, (term) => places.get(term) as number));
  if (named.order === 'other') return undefined;
  const first = `${added.slice(0, SHOWN).join(', ')}${added.length > SHOWN ? ' …' : ''}`;
  const plain = named.words.replace(', from the first term to the last', '');
  return { ...named, words: `${plain}, of the terms in a permuted order (${first})` };
}

/** Names sums of more than two parts at once, each of which adds some terms to the sum so far. */
function fused(tree: SummationNode): NamedOrder | undefined {
  const widths: number[] = [];
  let exact = false;
  let at: SummationTree = tree;
  while (typeof at !== 'number') {
    if (at.parts.length === 2) return undefined;
    const sums: readonly SummationTree[] = at.parts.filter((part) => typeof part !== 'number');
    if (sums.length > 1) return undefined;
    widths.push(at.parts.length - sums.length);
    exact ||= at.exact === true;
    at = sums[0] ?? 0;
  }
  const [width] = widths;
  const first = widths[widths.length - 1];
  if (widths.some((one, level) => level > 0 && level < widths.length - 1 && one !== width)) return undefined;
  const how = exact ? ', nothing lost among them' : '';
  const words =
    widths.length === 1
      ? `all ${width} at once${how}`
      : `${Math.max(width, first)} at once${how}, added to the sum so far (${Math.max(width, first)}-way adders)`;
  return { order: 'fused', words, each: Math.max(width, first), parts: widths.length };
}

/** Names halves of halves, down to blocks of a few terms that are added one after the other. */
function pairwise(tree: SummationNode): NamedOrder | undefined {
  const bases: number[] = [];
  const stride = strideOf(tree);
  const halves = (part: SummationTree): boolean => {
    const run = isRun(part);
    if (run !== undefined && run.count <= 2) {
      bases.push(run.count);
      return true;
    }
    if (typeof part === 'number' || part.parts.length !== 2 || part.exact === true) return false;
    const [left, right] = part.parts.map(countTerms);
    const isPower = (x: number) => Number.isInteger(Math.log2(x));
    const balanced =
      Math.abs(left - right) <= 1 || (isPower(Math.max(left, right)) && left + right > Math.max(left, right));
    return balanced && part.parts.every(halves);
  };
  if (countTerms(tree) < 4 || !halves(tree) || !(isAscending(listAdditionOrder(tree)) || isRegular(tree)))
    return undefined;
  const how =
    stride === undefined ? '' : `, terms ${2 * stride === countTerms(tree) ? 'k/2' : stride} apart first`;
  return { order: 'pairwise', words: `halves of halves${how}` };
}

const isAscending = (terms: readonly number[]) => terms.every((term, at) => at === 0 || term > terms[at - 1]);

/** True if in every sum the second half repeats the first, shifted. */
function isRegular(tree: SummationTree): boolean {
  if (typeof tree === 'number') return true;
  const [left, right] = tree.parts;
  const by = listTerms(right)[0] - listTerms(left)[0];
  return isRegular(left) && JSON.stringify(relabelTree(left, (term) => term + by)) === JSON.stringify(right);
}

/** Returns the distance of the two terms that meet first, where it is not 1. */
function strideOf(tree: SummationTree): number | undefined {
  let at: SummationTree = tree;
  while (typeof at !== 'number') {
    const [x, y]: readonly SummationTree[] = at.parts;
    if (typeof x === 'number' && typeof y === 'number')
      return Math.abs(y - x) === 1 ? undefined : Math.abs(y - x);
    at = typeof x === 'number' ? y : x;
  }
  return undefined;
}

/** Names groups of terms that are summed first, one after the other or at once, and the order of their sums. */
function grouped(tree: SummationNode): NamedOrder | undefined {
  const groups: Group[] = [];
  const above = contract(tree, groups);
  if (above === undefined || groups.length < 2 || groups.every(({ count }) => count === 1)) return undefined;
  const [{ step, count, backwards }] = groups;
  const last = groups[groups.length - 1];
  const isLike = (one: Group) => one.step === step && one.count === count && one.backwards === backwards;
  // Outputs cannot show which of two terms comes first.
  const isRest = (one: Group) =>
    one === last && one.step === step && (one.count < 3 || one.backwards === backwards);
  const alike = groups.every((one) => isLike(one) || isRest(one));
  const words = combination(above);
  if (!alike || words === undefined) return undefined;
  const parts = groups.length;
  const each = backwards ? ', each from its last term to its first' : '';
  if (step > 1 && parts === step) {
    return {
      order: 'interleaved',
      words: `${parts} lanes, every ${ordinal(step)} term each${each}, ${words}`,
      each: count,
      parts,
    };
  }
  if (step > 1) return inBlocks(tree, step * count);
  const how = groups.some(({ atOnce }) => atOnce) ? ', each summed at once' : each;
  return chunks(count, parts, `${how}, ${words}`);
}

/** Most parts of a sum that are recognized in whatever order they are added. */
const MOST_PARTS = 16;

/** Names a few parts of k that are added in no usual order: consecutive terms, or every so many, as evenly as k allows. */
function split(tree: SummationNode): NamedOrder | undefined {
  const groups: Group[] = [];
  if (contract(tree, groups) === undefined) return undefined;
  const parts = groups.length;
  const [{ step, count }] = groups;
  const { count: last } = groups[parts - 1];
  if (parts < 2 || parts > MOST_PARTS || count < 2) return undefined;
  const isAlike = groups.every((one) => one.step === step || one.count === 1);
  const isEven = groups.every((one) => count - one.count === 0 || count - one.count === 1);
  const isLastOdd = groups.every((one, at) => one.count === count || at === parts - 1);
  const how = 'added in another order';
  if (isAlike && step === parts && isEven) {
    return {
      order: 'interleaved',
      words: `${parts} lanes, every ${ordinal(step)} term each, ${how}`,
      each: count,
      parts,
    };
  }
  if (!isAlike || step !== 1 || !isLastOdd) return undefined;
  const rest = last === count ? '' : `, of ${last} terms in the last`;
  return { order: 'split-k', words: `${rest}, ${how}`, each: count, parts };
}

const ordinal = (x: number) =>
  `${x}${['th', 'st', 'nd', 'rd'][x % 100 > 10 && x % 100 < 14 ? 0 : x % 10] ?? 'th'}`;

/** Names chunks: few long ones are the parts of a split sum, many short ones are blocks. Other lengths of sum decide. */
function chunks(each: number, parts: number, words: string): NamedOrder {
  return { order: parts <= 16 && parts <= each ? 'split-k' : 'blocked', words, each, parts };
}

/** Names blocks of neighboring terms, of one size and the same order inside. */
function inBlocks(tree: SummationNode, size: number): NamedOrder | undefined {
  const inner = new Set<string>();
  const blocks: number[] = [];
  const contracted = (part: SummationTree): SummationTree | undefined => {
    if (typeof part === 'number') return undefined;
    if (countTerms(part) <= size) {
      const [first] = listTerms(part);
      blocks.push(first);
      inner.add(nameOrder(relabelTree(part, (term) => term - first)).words);
      return first;
    }
    const parts = part.parts.map(contracted);
    return parts.includes(undefined) ? undefined : { ...part, parts: parts as SummationTree[] };
  };
  const above = contracted(tree);
  if (above === undefined || inner.size !== 1) return undefined;
  blocks.sort((x, y) => x - y);
  const words = combination(relabelTree(above, (term) => blocks.indexOf(term)));
  return words === undefined ? undefined : chunks(size, blocks.length, ` (${[...inner][0]}), ${words}`);
}

interface Group {
  readonly step: number;
  readonly count: number;
  readonly first: number;
  /** True if terms are summed from the last to the first. */
  readonly backwards: boolean;
  /** True if terms are summed at once, not one after the other. */
  readonly atOnce: boolean;
}

/** Returns the tree over its groups, numbered by their first terms; undefined where terms belong to no group. */
function contract(tree: SummationTree, groups: Group[]): SummationTree | undefined {
  const found: Group[] = [];
  const walk = (part: SummationTree, top: boolean): SummationTree | undefined => {
    const run = top ? undefined : groupOf(part);
    if (run !== undefined) {
      found.push(run);
      return run.first;
    }
    if (typeof part === 'number') return undefined;
    const parts = part.parts.map((one) => walk(one, false));
    return parts.includes(undefined) ? undefined : { ...part, parts: parts as SummationTree[] };
  };
  const above = walk(tree, true);
  if (above === undefined) return undefined;
  found.sort((x, y) => x.first - y.first);
  groups.push(...found);
  const starts = found.map(({ first }) => first);
  return relabelTree(above, (term) => starts.indexOf(term));
}

/** Returns the group of a tree: a run, or terms in an arithmetic progression that are added at once. */
function groupOf(tree: SummationTree): Group | undefined {
  const run = isRun(tree);
  if (run !== undefined)
    return {
      step: run.step < 0 ? -run.step : run.step,
      count: run.count,
      first: Math.min(run.first, run.last),
      backwards: run.step < 0 && run.count > 2,
      atOnce: false,
    };
  if (typeof tree === 'number' || !tree.parts.every((part) => typeof part === 'number')) return undefined;
  const terms = tree.parts as readonly number[];
  const step = terms[1] - terms[0];
  const even = terms.every((term, at) => term === terms[0] + at * step);
  return even ? { step, count: terms.length, first: terms[0], backwards: false, atOnce: true } : undefined;
}

/** Describes how the sums of groups are added. */
function combination(above: SummationTree): string | undefined {
  if (typeof above === 'number') return undefined;
  const run = isRun(above);
  if (countTerms(above) === 2) return 'then added';
  if (above.parts.length === 2 && run !== undefined) {
    return `added one after the other${run.step < 0 ? ', from the last to the first' : ''}`;
  }
  if (pairwise(above) !== undefined) return 'added in pairs';
  if (above.parts.every((part) => typeof part === 'number')) return 'added at once';
  const inner = grouped(above);
  return inner === undefined ? undefined : `added ${inner.each} by ${inner.each}${inner.words}`;
}

function describe(tree: SummationNode): string {
  const ways = new Set<number>();
  let depth = 0;
  const visit = (part: SummationTree, at: number): void => {
    depth = Math.max(depth, at);
    if (typeof part === 'number') return;
    ways.add(part.parts.length);
    for (const one of part.parts) visit(one, at + 1);
  };
  visit(tree, 0);
  return `a tree ${depth} sums deep, of ${[...ways].sort((x, y) => x - y).join('-, ')}-way sums`;
}
