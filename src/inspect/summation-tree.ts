/**
 * The order in which the terms of a sum are added: a term, by its index, or a sum of two or more parts. More than two parts are added at
 * once, aligned to the largest, as units of tensor cores do; `exact` where nothing is lost among them.
 */
export type SummationTree = number | SummationNode;

export interface SummationNode {
  readonly parts: readonly SummationTree[];
  readonly exact?: boolean;
}

/** Returns the terms of a tree, in ascending order. */
export function listTerms(tree: SummationTree): number[] {
  if (typeof tree === 'number') return [tree];
  return tree.parts.flatMap(listTerms).sort((x, y) => x - y);
}

/** Returns, for every pair of terms, the number of terms under the sum at which they meet, both included: row i, column j. */
export function meetingSizes(tree: SummationTree, count: number): Uint32Array {
  const sizes = new Uint32Array(count * count);
  const visit = (node: SummationTree): number[] => {
    if (typeof node === 'number') return [node];
    const under = node.parts.map(visit);
    const all = under.flat();
    // Where nothing is lost, the pair cancels and all others remain.
    const size = node.exact === true ? 2 : all.length;
    under.forEach((left, at) => {
      for (const right of under.slice(at + 1)) {
        for (const i of left) {
          for (const j of right) {
            const meet = node.exact === true ? size + left.length + right.length - 2 : size;
            sizes[i * count + j] = meet;
            sizes[j * count + i] = meet;
          }
        }
      }
    });
    return all;
  };
  visit(tree);
  return sizes;
}

const SHOWN = 90;

/** Draws a tree as text: `(((0…7) + (8…15)) + (16…23))`; `0…7` adds from left to right, `[0, 1, 2, 3]` at once. */
export function drawTree(tree: SummationTree): string {
  const text = draw(tree);
  const bare =
    text.startsWith('(') && text.endsWith(')') && typeof tree !== 'number' && isRun(tree) === undefined;
  const whole = bare ? text.slice(1, -1) : text;
  return whole.length <= SHOWN ? whole : `${whole.slice(0, SHOWN / 2)} … ${whole.slice(-SHOWN / 2 + 3)}`;
}

function draw(tree: SummationTree): string {
  if (typeof tree === 'number') return `${tree}`;
  const run = isRun(tree);
  if (run !== undefined) {
    const { first, step, last, count } = run;
    if (count === 2) return `(${first} + ${last})`;
    if (Math.abs(step) === 1) return `(${first}…${last})`;
    return `(${first}, ${first + step}…${last})`;
  }
  const { parts, joined } = spine(tree);
  if (joined === 'one by one') return `(${parts.map(draw).join(' + ')})`;
  return `[${listed(parts).join(', ')}]`;
}

/** Lists parts in order, and joins neighboring terms: `0…3`. */
function listed(parts: readonly SummationTree[]): string[] {
  const texts: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const from = parts[at];
    let next = at + 1;
    while (typeof from === 'number' && parts[next] === from + next - at) next++;
    if (next - at < 3) next = at + 1;
    texts.push(next - at > 1 ? `${from}…${parts[next - 1]}` : draw(from));
    at = next;
  }
  return texts;
}

/** A sum of terms one after the other, their indices in an arithmetic progression. */
export interface TermRun {
  readonly first: number;
  readonly step: number;
  readonly last: number;
  readonly count: number;
}

/** Returns the run that a tree is, if it is one. A run of a single term has step 1. */
export function isRun(tree: SummationTree): TermRun | undefined {
  if (typeof tree === 'number') return { first: tree, step: 1, last: tree, count: 1 };
  const { parts, joined } = spine(tree);
  if (joined === 'at once' || !parts.every((part) => typeof part === 'number')) return undefined;
  const terms = parts as number[];
  // Outputs cannot show which of the first two terms comes first.
  for (const order of [terms, [terms[1], terms[0], ...terms.slice(2)]]) {
    const step = order[1] - order[0];
    if (order.every((term, at) => term === order[0] + at * step)) {
      return { first: order[0], step, last: order[order.length - 1], count: order.length };
    }
  }
  return undefined;
}

/** Returns a tree as a chain: the parts that its sums of two add to the first, one after the other. */
function spine(tree: SummationNode): {
  readonly parts: readonly SummationTree[];
  readonly joined: 'one by one' | 'at once';
} {
  if (tree.parts.length > 2 || tree.exact === true) return { parts: tree.parts, joined: 'at once' };
  const added: SummationTree[] = [];
  let at: SummationTree = tree;
  while (typeof at !== 'number' && at.parts.length === 2 && at.exact !== true) {
    const [x, y]: readonly SummationTree[] = at.parts;
    // The smaller part is the added one; of equal parts it is the later.
    const [big, small]: [SummationTree, SummationTree] = countTerms(x) >= countTerms(y) ? [x, y] : [y, x];
    added.unshift(small);
    at = big;
    if (countTerms(big) === countTerms(small) && countTerms(big) > 1) break;
  }
  return { parts: [at, ...added], joined: 'one by one' };
}

const sizes = new WeakMap<SummationNode, number>();

/** Returns the number of terms of a tree. */
export function countTerms(tree: SummationTree): number {
  if (typeof tree === 'number') return 1;
  const size = sizes.get(tree) ?? tree.parts.reduce<number>((sum, part) => sum + countTerms(part), 0);
  sizes.set(tree, size);
  return size;
}

/** Returns the terms in the order of addition, as far as it shows. */
export function listAdditionOrder(tree: SummationTree): number[] {
  return typeof tree === 'number' ? [tree] : spine(tree).parts.flatMap(listAdditionOrder);
}

/** Returns the same tree over other numbers. */
export function relabelTree(tree: SummationTree, label: (term: number) => number): SummationTree {
  return typeof tree === 'number'
    ? label(tree)
    : { ...tree, parts: tree.parts.map((part) => relabelTree(part, label)) };
}
