import { expect, test } from 'vitest';
import type { Excerpt } from '../evidence/case-result.ts';
import { displayWidth } from '../report/terminal/text.ts';
import { excerptLines } from './excerpt.ts';

const rowsOf = <T>(entry: (i: number, j: number) => T): T[][] =>
  Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, j) => entry(i, j)));
const random: Excerpt = {
  ...{ row: 12, col: 28 },
  found: rowsOf((i, j) => Math.fround(Math.sin(5 * i + j))),
  expected: rowsOf((i, j) => Math.fround(Math.sin(5 * i + j)) - (j === 4 ? 1 / 1024 : 0)),
  difference: rowsOf((_, j) => (j === 4 ? 1 / 1024 : 0)),
};

test('found, expected and difference stand side by side', () => {
  const excerpt: Excerpt = {
    ...{ row: 0, col: 0, found: [[24, -7]], expected: [[88, -7]], difference: [[-64, 0]] },
  };
  expect(excerptLines(excerpt, { m: 1, n: 2 }, 98)).toEqual([
    'found   expected   difference',
    '24 -7   88 -7      -64 0',
  ]);
});

test('numbers that differ in late digits have enough of them', () => {
  const [found, expected] = [-0.23674267530441284, -0.23674267481562838];
  const excerpt: Excerpt = {
    ...{ row: 0, col: 0, found: [[found]], expected: [[expected]], difference: [[found - expected]] },
  };
  expect(excerptLines(excerpt, { m: 1, n: 1 }, 78)).toEqual([
    'found                  expected               difference',
    '-0.23674267530441284   -0.23674267481562838   -4.89e-10',
  ]);
});

test('it says where it lies, unless it is all there is, and in which product of a batch', () => {
  const [title] = excerptLines(random, { m: 33, n: 33 }, 98);
  expect(title).toMatch(/^found, rows 12–16, columns 28–32 +expected +difference$/);
  expect(excerptLines(random, { m: 10, n: 33 }, 98)[0]).toMatch(
    /^found in product 1, rows 2–6, columns 29–32 /,
  );
});

test.each([98, 58, 50])('it has five rows within %i columns, the worst column among them', (width) => {
  const [, ...rows] = excerptLines(random, { m: 33, n: 33 }, width);
  expect(rows).toHaveLength(5);
  for (const row of rows) {
    expect(displayWidth(row)).toBeLessThanOrEqual(width);
    expect(row).toMatch(/9\.77e-4$/);
  }
});

test('equal NaN and infinities are no difference', () => {
  const excerpt: Excerpt = {
    ...{ row: 0, col: 0, found: [['NaN', 'Infinity', 2]], expected: [['NaN', 'Infinity', 1]] },
    difference: [[0, 0, 1]],
  };
  expect(excerptLines(excerpt, { m: 1, n: 3 }, 98)[1]).toBe('NaN ∞ 2   NaN ∞ 1    same same 1');
});

test('what was not compared, and what is no number, are told apart', () => {
  const excerpt: Excerpt = {
    ...{ row: 0, col: 0, found: [['NaN', 1]], expected: [[1, null]], difference: [['NaN', null]] },
  };
  expect(excerptLines(excerpt, { m: 1, n: 2 }, 98)[1]).toBe('NaN 1   1 ?        NaN ?');
});
