import { expect, it } from 'vitest';
import { type BilinearTable, orientations, reverseBlocks } from '../../src/algorithms/bilinear-table.ts';
import { classical } from '../../src/algorithms/classical.ts';
import { laderman } from '../../src/algorithms/laderman.ts';
import { strassen, winograd } from '../../src/algorithms/strassen.ts';
import { brentViolations } from '../../src/algorithms/verify-algorithm.ts';
import { createRandom } from '../../src/base/random.ts';
import { orbitText, rankText } from './invariants.ts';
import { type Draft, flip, shear } from './neighbours.ts';
import { search } from './search.ts';
import { split } from './split.ts';

const draftOf = ({ base, u, v, w }: BilinearTable): Draft => {
  const copy = (rows: BilinearTable['u']) => rows.map((row) => [...row]);
  return { base, parts: [copy(u), copy(v), copy(w)] };
};
const tableOf = ({ base, parts: [u, v, w] }: Draft): BilinearTable => structuredClone({ base, u, v, w });

it.each([
  ['flips', flip, classical],
  ['other bases', shear, winograd],
])('%s lead to tables that multiply matrices, and back', (_, step, from) => {
  const draft = draftOf(from);
  const random = createRandom(1);
  let taken = 0;
  for (let at = 0; at < 300; at++) {
    const before = tableOf(draft);
    const undo = step(draft, random, { most: 2, halves: true });
    if (undo === undefined) {
      expect(tableOf(draft)).toEqual(before);
      continue;
    }
    taken++;
    if (taken % 10 === 0) expect(brentViolations(tableOf(draft))).toEqual([]);
    if (taken % 3 > 0) continue;
    undo();
    expect(tableOf(draft)).toEqual(before);
  }
  expect(taken).toBeGreaterThan(20);
});

it('finds the same again from the same seed, never worse than what it began with', () => {
  const asked = { aim: 'norms', steps: 3000, flips: 0, most: 2, halves: true } as const;
  const found = search(strassen, { ...asked, seed: 1 });
  expect(search(strassen, { ...asked, seed: 1 })).toEqual(found);
  expect(brentViolations(found)).toEqual([]);
  const norm = (row: readonly number[]) => Math.hypot(...row);
  const norms = ({ u, v, w }: BilinearTable) =>
    u.reduce((sum, row, r) => sum + norm(row) * norm(v[r]) * norm(w[r]), 0);
  expect(norms(found)).toBeLessThan(norms(strassen));
});

it('tells tables apart that differ, and none that are of one orbit', () => {
  const own = orbitText(strassen);
  for (const table of orientations(strassen)) expect(orbitText(table)).toBe(own);
  expect(orbitText(reverseBlocks(strassen, ['rows', 'columns']))).toBe(own);
  const signs = { ...strassen, u: strassen.u.map((row) => row.map((x) => -2 * x)) };
  expect(orbitText(signs)).toBe(own);
  expect(orbitText(winograd)).not.toBe(own);
  // All tables of 7 products are equivalent by changes of basis (de Groote 1978).
  expect(rankText(winograd)).toBe(rankText(strassen));
  expect(rankText(laderman)).not.toBe(rankText(strassen));
});

it.each(['m', 'k', 'n'] as const)('splits a product along %s', (along) => {
  const table = split(strassen, strassen, along);
  expect(table.base).toEqual({ ...strassen.base, [along]: 4 });
  expect(table.u).toHaveLength(14);
  expect(brentViolations(table)).toEqual([]);
});
