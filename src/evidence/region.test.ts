import { expect, test } from 'vitest';
import { describeRegion, type RegionHints } from './region.ts';

const cut = (levels: number, fringe: 'pad' | 'peel' = 'pad') => [{ rows: 2, cols: 2, levels, fringe }];
const THIRDS = [{ rows: 2, cols: 3, levels: 1, fringe: 'pad' as const }];

type Where = (i: number, j: number) => boolean;

function describe(m: number, n: number, where: Where, hints?: RegionHints): string {
  const mask = Uint8Array.from({ length: m * n }, (_, at) => (where(Math.floor(at / n), at % n) ? 1 : 0));
  const { count, text } = describeRegion(mask, m, n, hints);
  expect(count).toBe(mask.reduce((sum, mark) => sum + mark, 0));
  return text;
}

test.each<[string, number, number, Where, RegionHints | undefined]>([
  ['no entry', 8, 8, () => false, undefined],
  ['all 128×96 entries', 128, 96, () => true, undefined],
  ['only entry (5, 3), in C21', 8, 8, (i, j) => i === 5 && j === 3, undefined],
  ['only entry (5, 3), in C21/C12', 8, 8, (i, j) => i === 5 && j === 2 + 1, { cuts: cut(2) }],
  ['only the last row (128)', 129, 64, (i) => i === 128, undefined],
  ['only the first row (0)', 129, 64, (i) => i === 0, undefined],
  ['only the last column (64)', 64, 65, (_, j) => j === 64, undefined],
  ['only the last 3 columns (64…66)', 64, 67, (_, j) => j >= 64, undefined],
  ['only rows 64…100', 129, 64, (i) => i >= 64 && i <= 100, undefined],
  ['only every 16th row from 15', 64, 64, (i) => i % 16 === 15, undefined],
  ['only every other column from 0', 64, 64, (_, j) => j % 2 === 0, undefined],
  ['only rows 1, 5 and 6', 64, 64, (i) => i === 1 || i === 5 || i === 6, undefined],
  ['quadrants C12 and C22 (at level 1), 2048 entries', 64, 64, (_, j) => j >= 32, undefined],
  ['block C13 (at level 1), 512 entries', 64, 48, (i, j) => i < 32 && j >= 32, { cuts: THIRDS }],
  ['quadrant C21 (at level 1), 1024 entries', 64, 64, (i, j) => i >= 32 && j < 32, undefined],
  [
    'quadrants C11/C12 and C22/C22 (at level 2), 32 entries',
    16,
    16,
    (i, j) => (i < 4 && j >= 4 && j < 8) || (i >= 12 && j >= 12),
    { cuts: cut(2) },
  ],
  [
    'parts bottom fringe and right fringe (at level 1), 33 entries',
    17,
    17,
    (i, j) => i === 16 || j === 16,
    { cuts: cut(1, 'peel') },
  ],
  ['part right fringe (at level 1), 17 entries', 17, 17, (_, j) => j === 16, { cuts: cut(1, 'peel') }],
  [
    'the last row (16) and the last column (16), 33 entries',
    17,
    17,
    (i, j) => i === 16 || j === 16,
    undefined,
  ],
  [
    'everything but the first 16×16 tile (0, 0), 256 entries',
    80,
    80,
    (i, j) => i >= 16 || j >= 16,
    undefined,
  ],
  ['only the 16×16 tile (0, 1), 256 entries', 80, 80, (i, j) => i < 16 && j >= 16 && j < 32, undefined],
  ['only the 32×32 tile (2, 1), 512 entries', 80, 80, (i, j) => i >= 64 && j >= 32 && j < 64, undefined],
  [
    'only where rows 3…9 and columns 4…5 meet, 14 entries',
    64,
    64,
    (i, j) => i >= 3 && i <= 9 && (j === 4 || j === 5),
    undefined,
  ],
  ['everything but entry (7, 7), in C22', 8, 8, (i, j) => i < 7 || j < 7, undefined],
  ['everything but row 5', 64, 64, (i) => i !== 5, undefined],
  ['only the main diagonal, 64 entries', 64, 64, (i, j) => i === j, undefined],
  ['everything but the main diagonal, 4032 entries', 64, 64, (i, j) => i !== j, undefined],
  ['only the part above the main diagonal, 2016 entries', 64, 64, (i, j) => j > i, undefined],
  [
    'in every 16×16 tile the same: only entry (3, 7); 16 entries in all',
    64,
    64,
    (i, j) => i % 16 === 3 && j % 16 === 7,
    { tile: 16 },
  ],
  [
    '3 entries, all in the 8×8 tile (1, 0), the first at (8, 1)',
    64,
    64,
    (i, j) => (i === 8 && j === 1) || (i === 9 && j === 5) || (i === 15 && j === 0),
    undefined,
  ],
  [
    '0.098 % of all, scattered over rows 1, 20, 40 and 63 and columns 3, 13, 33 and 50, the first at (1, 50)',
    64,
    64,
    (i, j) =>
      (i === 1 && j === 50) || (i === 20 && j === 3) || (i === 40 && j === 33) || (i === 63 && j === 13),
    undefined,
  ],
])('%s', (text, m, n, where, hints) => {
  expect(describe(m, n, where, hints)).toBe(text);
});

test('a mask of another size is refused', () => {
  expect(() => describeRegion(new Uint8Array(3), 2, 2)).toThrow('the mask has 3 entries');
});
