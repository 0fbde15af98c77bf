import { expect, test } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { compile } from './compile.ts';
import { cutPositions, cutsOf, pathIn, pathName, pathOfEntry } from './path.ts';
import { type Style, styles } from './plan.ts';

test.each([
  [0, 0, 4, 4, 0, 'pad', 'C'],
  [0, 0, 4, 4, 1, 'pad', 'C11'],
  [3, 1, 4, 4, 2, 'pad', 'C21/C22'],
  [2, 5, 8, 8, 2, 'pad', 'C12/C21'],
  // 5 rows padded to 8 for two levels: halves of 4, quarters of 2.
  [3, 0, 5, 5, 2, 'pad', 'C11/C21'],
  [4, 4, 5, 5, 2, 'pad', 'C22/C11'],
  // 5 = 2·2 + 1: the fifth row and column remain.
  [3, 3, 5, 5, 2, 'peel', 'C22/C22'],
  [4, 0, 5, 5, 2, 'peel', 'bottom fringe'],
  [0, 4, 5, 5, 2, 'peel', 'right fringe'],
  [4, 4, 5, 5, 2, 'peel', 'right fringe'],
  // 6 = 2·3, 3 = 2·1 + 1: a remainder within a quadrant.
  [5, 0, 6, 6, 2, 'peel', 'C21/bottom fringe'],
  [0, 2, 6, 6, 2, 'peel', 'C11/right fringe'],
  [0, 0, 1, 4, 1, 'peel', 'bottom fringe'],
] as const)('(%i, %i) of %i×%i at %i levels, %s: %s', (i, j, m, n, levels, fringe, name) => {
  expect(pathName(pathIn(i, j, { m, n }, [{ rows: 2, cols: 2, levels, fringe }]))).toBe(name);
});

test.each([
  [8, 0, 'C31/C31'],
  [5, 11, 'C23/C34'],
  [0, 3, 'C11/C14'],
] as const)('(%i, %i) of 9×12 by levels of 3×3 and of 3×4 blocks: %s', (i, j, name) => {
  const cuts = [
    { rows: 3, cols: 3, levels: 1, fringe: 'pad' },
    { rows: 3, cols: 4, levels: 1, fringe: 'pad' },
  ] as const;
  expect(pathName(pathIn(i, j, { m: 9, n: 12 }, cuts))).toBe(name);
});

test('fused levels pad what the levels above them leave', () => {
  const options = { algorithm: algorithms[1], shape: { m: 7, k: 7, n: 7 }, fringe: 'peel' } as const;
  const plan = compile({ ...options, depth: { levels: 2 }, style: 'hybrid' });
  // 7 = 2·3 + 1, and 3 rows are 2 and 1.
  expect(pathName(pathOfEntry(1, 5, plan))).toBe('C12/C12');
  expect(pathName(pathOfEntry(2, 3, plan))).toBe('C12/C21');
  expect(pathName(pathOfEntry(6, 0, plan))).toBe('bottom fringe');
});

itWhole('blocks begin where the path changes', () => {
  for (const style of Object.keys(styles) as Style[]) {
    for (const fringe of ['pad', 'peel'] as const) {
      const shape = { m: 29, k: 9, n: 38 };
      for (const algorithm of algorithms) {
        const plan = compile({ algorithm, shape, depth: { levels: 2 }, fringe, style });
        const cuts = cutsOf(plan);
        for (const level of [1, 2]) {
          const name = (i: number, j: number) => pathName(pathIn(i, j, shape, cuts, level));
          const rows = [...Array(shape.m).keys()].filter((i) => i > 0 && name(i, 0) !== name(i - 1, 0));
          const cols = [...Array(shape.n).keys()].filter((j) => j > 0 && name(0, j) !== name(0, j - 1));
          expect(cutPositions(shape.m, cuts, 'rows', level)).toEqual(rows);
          expect(cutPositions(shape.n, cuts, 'cols', level)).toEqual(cols);
        }
      }
    }
  }
});

test('entries outside are refused', () => {
  const cuts = [{ rows: 2, cols: 2, levels: 1, fringe: 'pad' }] as const;
  expect(() => pathIn(4, 0, { m: 4, n: 4 }, cuts)).toThrow('The row must be a whole number from 0 to 3');
  expect(() => pathIn(0, -1, { m: 4, n: 4 }, cuts)).toThrow('The column');
});
