import { describe, expect, it } from 'vitest';
import { nameOrder } from './name-order.ts';
import { drawTree, type SummationTree } from './summation-tree.ts';

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
const chain = (parts: readonly SummationTree[]): SummationTree =>
  parts.reduce((sum, part) => ({ parts: [sum, part] }));
const halves = (parts: readonly SummationTree[]): SummationTree =>
  parts.length === 1
    ? parts[0]
    : { parts: [halves(parts.slice(0, parts.length >> 1)), halves(parts.slice(parts.length >> 1))] };
const blocks = (count: number, size: number) =>
  range(0, count).map((at) => chain(range(at * size, (at + 1) * size)));
const lanes = (count: number, k: number) => range(0, count).map((lane) => chain(range(lane, k, count)));

const fours = (count: number): SummationTree =>
  range(1, count).reduce<SummationTree>((sum, at) => ({ parts: [sum, ...range(4 * at, 4 * at + 4)] }), {
    parts: range(0, 4),
  });

const named: readonly [string, SummationTree, string, string, string][] = [
  [
    'one by one',
    chain(range(0, 20)),
    'sequential',
    'one after the other, from the first term to the last',
    '0…19',
  ],
  [
    'from the end',
    chain(range(0, 8).reverse()),
    'sequential',
    'one after the other, from the last term to the first',
    '7…0',
  ],
  ['two terms', chain([0, 1]), 'sequential', 'one after the other, from the first term to the last', '0 + 1'],
  ['halves', halves(range(0, 16)), 'pairwise', 'halves of halves', '(((0 + 1) + (2 + 3)) + '],
  [
    'few parts',
    chain(blocks(4, 16)),
    'split-k',
    ', added one after the other',
    '(0…15) + (16…31) + (32…47) + (48…63)',
  ],
  [
    'parts in pairs',
    halves(blocks(4, 8)),
    'split-k',
    ', added in pairs',
    '((0…7) + (8…15)) + ((16…23) + (24…31))',
  ],
  [
    'parts and a rest, the rest first',
    chain([chain(range(12, 16)), ...blocks(4, 3)]),
    'split-k',
    ', of 4 terms in the last, added in another order',
    '12 + 13 + 14 + 15 + (0…2)',
  ],
  [
    'lanes in a tree of their own',
    halves([6, 0, 5, 1, 4, 2, 3].map((lane) => lanes(7, 16)[lane])),
    'interleaved',
    '7 lanes, every 7th term each, added in another order',
    '',
  ],
  ['blocks', chain(blocks(8, 4)), 'blocked', ', added one after the other', '(0…3) + (4…7)'],
  [
    'lanes',
    halves(lanes(4, 32)),
    'interleaved',
    '4 lanes, every 4th term each, added in pairs',
    '(0, 4…28) + (1, 5…29)',
  ],
  ['all at once', { parts: range(0, 8) }, 'fused', 'all 8 at once', '[0…7]'],
  [
    'four at once',
    fours(4),
    'fused',
    '4 at once, added to the sum so far (4-way adders)',
    '[[[[0…3], 4…7], 8…11], 12…15]',
  ],
  ['exactly', { parts: range(0, 8), exact: true }, 'exact', 'all at once, nothing lost', '[0…7]'],
  [
    'blocks of units',
    chain(range(0, 8).map((at) => ({ parts: range(4 * at, 4 * at + 4) }))),
    'blocked',
    ', each summed at once, added one after the other',
    '[0…3] + [4…7]',
  ],
  [
    'blocks of lanes',
    chain(range(0, 8).map((at) => shift(halves(lanes(4, 16)), 16 * at))),
    'split-k',
    ' (4 lanes, every 4th term each, added in pairs), added one after the other',
    '((0, 4…12) + (1, 5…13))',
  ],
];

function shift(tree: SummationTree, by: number): SummationTree {
  return typeof tree === 'number' ? tree + by : { parts: tree.parts.map((part) => shift(part, by)) };
}

describe('a tree', () => {
  it.each(named)('of %s has its name and picture', (_, tree, order, words, drawn) => {
    expect(nameOrder(tree)).toMatchObject({ order, words });
    expect(drawTree(tree).startsWith(drawn) || drawTree(tree).includes(drawn)).toBe(true);
  });

  it('without a name is described', () => {
    const odd: SummationTree = {
      parts: [{ parts: [0, 5] }, { parts: [{ parts: [1, 4, 2] }, { parts: [3, 6] }] }],
    };
    expect(nameOrder(odd)).toEqual({ order: 'other', words: 'a tree 3 sums deep, of 2-, 3-way sums' });
  });

  it('that is large has a short picture', () => {
    expect(drawTree(halves(range(0, 256))).length).toBeLessThan(100);
  });
});
