import { expect, it } from 'vitest';
import { levelGrowth } from './growth.ts';
import { strassen } from './strassen.ts';

const scaled = (rows: readonly (readonly number[])[], by: number) =>
  rows.map((row) => row.map((x) => by * x));

it('counts whole numbers as they are', () => {
  expect(levelGrowth(strassen)).toEqual({ product: 4, total: 20, operand: 2, split: 2 });
});

it('counts the bits of fractions that factors leave', () => {
  // Halves and quarters are as many units as the whole numbers were. Doubling or quartering in C grows as well.
  const halves = { ...strassen, u: scaled(strassen.u, 1 / 2), w: scaled(strassen.w, 2) };
  expect(levelGrowth(halves)).toEqual({ product: 4, total: 40, operand: 2, split: 2 });
  const eighths = { ...strassen, u: scaled(strassen.u, 8), w: scaled(strassen.w, 1 / 8) };
  expect(levelGrowth(eighths)).toEqual({ product: 32, total: 8 * 160, operand: 16, split: 2 });
});

it('says that fractions which formats do not hold round whole numbers', () => {
  const thirds = { ...strassen, u: scaled(strassen.u, 1 / 3), w: scaled(strassen.w, 3) };
  expect(levelGrowth(thirds)).toMatchObject({ rounds: true, split: 2 });
  expect(levelGrowth(strassen).rounds).toBeUndefined();
});
