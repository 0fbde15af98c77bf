import { expect, it } from 'vitest';
import { caseOf } from '../problem/case.ts';
import { Spending } from './spending.ts';

const cube = (size: number, kernel = 'mine') => caseOf({ kernel, m: size, k: size, n: size });

it('affords what is as fast as the largest before, for a sixth of it at most', () => {
  const spending = new Spending(60);
  expect(spending.affords(cube(4096))).toBe(true);
  // 2^18 products of 8 ns each.
  spending.spent([cube(64)], 2 ** 18 * 8e-9);
  expect(spending.affords(cube(1024))).toBe(true);
  expect(spending.affords(cube(1100))).toBe(false);
  expect(spending.affords(cube(1100, 'other'))).toBe(true);
  // What takes longer in a larger one counts, and what a small one takes does not.
  spending.spent([cube(128)], 2 ** 21 * 16e-9);
  spending.spent([cube(8)], 1);
  spending.spent([cube(64)], 1);
  expect(spending.affords(cube(840))).toBe(true);
  expect(spending.affords(cube(1024))).toBe(false);
  spending.spent([cube(1)], 52);
  expect(spending.affords(cube(600))).toBe(true);
  expect(spending.affords(cube(840))).toBe(false);
  spending.spent([cube(1)], 6);
  expect(spending.affords(cube(1))).toBe(false);
  expect(spending.affords(cube(1024, 'other'))).toBe(true);
});
