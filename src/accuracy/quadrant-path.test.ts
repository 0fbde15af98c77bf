import { expect, test } from 'vitest';
import { quadrantPath } from './quadrant-path.ts';

test.each([
  [0, 0, 4, 4, 0, 'pad', 'C'],
  [0, 0, 4, 4, 1, 'pad', 'C11'],
  [3, 1, 4, 4, 2, 'pad', 'C21/C22'],
  [2, 5, 8, 8, 2, 'pad', 'C12/C21'],
  // 5 rows padded to 8 for two levels: halves of 4, quarters of 2.
  [3, 0, 5, 5, 2, 'pad', 'C11/C21'],
  [4, 4, 5, 5, 2, 'pad', 'C22/C11'],
  // 5 = 2·2 + 1: the fifth row and column are left over.
  [3, 3, 5, 5, 2, 'peel', 'C22/C22'],
  [4, 0, 5, 5, 2, 'peel', 'bottom fringe'],
  [0, 4, 5, 5, 2, 'peel', 'right fringe'],
  [4, 4, 5, 5, 2, 'peel', 'right fringe'],
  // 6 = 2·3, 3 = 2·1 + 1: left over within a quadrant.
  [5, 0, 6, 6, 2, 'peel', 'C21/bottom fringe'],
  [0, 2, 6, 6, 2, 'peel', 'C11/right fringe'],
  [0, 0, 1, 4, 1, 'peel', 'bottom fringe'],
] as const)('(%i, %i) of %i×%i at %i levels, %s: %s', (i, j, m, n, levels, border, path) => {
  expect(quadrantPath(i, j, m, n, levels, border)).toBe(path);
});

test('entries outside are refused', () => {
  expect(() => quadrantPath(4, 0, 4, 4, 1)).toThrow('The row must be a whole number from 0 to 3');
  expect(() => quadrantPath(0, -1, 4, 4, 1)).toThrow('The column');
  expect(() => quadrantPath(0, 0, 4, 4, 0.5)).toThrow('levels');
});
