import fc from 'fast-check';
import { expect } from 'vitest';
import { nameOrder } from '../src/inspect/name-order.ts';
import { drawTree, listTerms, meetingSizes, type SummationTree } from '../src/inspect/summation-tree.ts';
import { type MeetingSizes, revealTree } from '../src/inspect/swamping.ts';
import { law } from './law.ts';

/** Makes a tree over terms, each sum of two to five parts. Its shape follows from drawn numbers. */
function grown(terms: readonly number[], draws: readonly number[], at = { place: 0 }): SummationTree {
  if (terms.length === 1) return terms[0];
  const draw = () => draws[at.place++ % draws.length];
  const parts = 2 + (draw() % Math.min(4, terms.length - 1));
  const groups: number[][] = Array.from({ length: parts }, (_, part) => [terms[part]]);
  for (const term of terms.slice(parts)) groups[draw() % parts].push(term);
  return { parts: groups.map((group) => grown(group, draws, at)) };
}

/** Sorts parts by their first terms, as {@link revealTree} does. */
function sorted(tree: SummationTree): SummationTree {
  if (typeof tree === 'number') return tree;
  const parts = tree.parts.map(sorted).sort((x, y) => listTerms(x)[0] - listTerms(y)[0]);
  return { ...tree, parts };
}

const trees = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(), { minLength: 8, maxLength: 64 }))
  .map(([count, draws]) => ({
    count,
    tree: sorted(
      grown(
        Array.from({ length: count }, (_, term) => term),
        draws,
      ),
    ),
  }));

const askingOf = (tree: SummationTree, count: number): MeetingSizes => {
  const sizes = meetingSizes(tree, count);
  return async (pairs) => pairs.map(([i, j]) => sizes[i * count + j]);
};

law('a tree is revealed by where its terms meet', 60, trees, async ({ count, tree }) => {
  expect(await revealTree(count, askingOf(tree, count))).toEqual(tree);
});

law('sizes that come from no tree give none', 40, trees, async ({ count, tree }) => {
  fc.pre(count > 2);
  const honest = askingOf(tree, count);
  // The first and the last term pretend to meet below their true sum: in a sum too small for both.
  const revealed = await revealTree(count, async (pairs) =>
    (await honest(pairs)).map((size) => (size === count ? count - 1 : size)),
  );
  expect(revealed).not.toEqual(tree);
});

law('every tree has a name, if only other, and a short picture', 100, trees, ({ tree }) => {
  expect(nameOrder(tree).words).not.toBe('');
  expect(drawTree(tree).length).toBeLessThan(100);
});
