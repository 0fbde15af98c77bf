import { expect, test } from 'vitest';
import { levelsFor } from './levels.ts';

const QUARTERS = { m: 2, k: 2, n: 2 };
const square = (n: number) => ({ m: n, k: n, n });

// Section 8.1.1: at n = 16384, τ2 = 4096 is three levels and τ2 = 2048 four, with τ1 = τ2/2.
test.each([
  [1024, 2048, 0],
  [1025, 2048, 1],
  [2048, 2048, 1],
  [2049, 2048, 2],
  [4096, 2048, 2],
  [8192, 2048, 3],
  [16384, 2048, 4],
  [2048, 4096, 0],
  [4096, 4096, 1],
  [16384, 4096, 3],
])('n = %d with τ2 = %d, τ1 half of it: %d levels', (n, tau2, levels) => {
  expect(levelsFor(square(n), { tau1: tau2 / 2, tau2 }, QUARTERS)).toBe(levels);
});

test('between the thresholds there is one level, however far they are apart', () => {
  expect(levelsFor(square(300), { tau1: 16, tau2: 512 }, QUARTERS)).toBe(1);
  expect(levelsFor(square(300), { tau1: 256, tau2: 256 }, QUARTERS)).toBe(2);
});

test('the smallest dimension decides', () => {
  expect(levelsFor({ m: 4096, k: 4096, n: 100 }, { tau1: 128, tau2: 256 }, QUARTERS)).toBe(0);
  expect(levelsFor({ m: 4096, k: 512, n: 1024 }, { tau1: 128, tau2: 256 }, QUARTERS)).toBe(2);
});

test('blocks of a level are as the algorithm cuts them', () => {
  expect(levelsFor(square(2187), { tau1: 27, tau2: 81 }, { m: 3, k: 3, n: 3 })).toBe(4);
  // m stays as it is, and no level makes it small enough.
  expect(levelsFor({ m: 100, k: 400, n: 400 }, { tau1: 4, tau2: 8 }, { m: 1, k: 2, n: 2 })).toBe(1);
});

test('levels are taken as they are', () => expect(levelsFor(square(4), { levels: 9 }, QUARTERS)).toBe(9));

test.each([
  [{ levels: -1 }, /levels must be a whole number of at least 0, but is -1/],
  [{ levels: 0.5 }, /levels must be a whole number/],
  [{ levels: Number.NaN }, /levels must be a whole number/],
  [{ tau1: 0, tau2: 4 }, /tau1 must be a whole number of at least 1/],
  [{ tau1: 8, tau2: 4 }, /tau2 must be a whole number of at least tau1 \(8\)/],
  [{ tau1: 8, tau2: 8.5 }, /tau2 must be a whole number/],
])('%o is refused', (depth, message) =>
  expect(() => levelsFor(square(64), depth, QUARTERS)).toThrow(message),
);
