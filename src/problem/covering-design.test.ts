import { describe, expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';
import { coveringDesign } from './covering-design.ts';
import { belongsToClass, sizeClasses } from './size-classes.ts';

const EXTENT = { products: 2 ** 24, entries: 2 ** 21 };
const design = (seed: number, takes?: (shape: Shape) => boolean) =>
  coveringDesign(createRandom(seed, 1), { ...EXTENT, takes });
const KEYS = ['m', 'k', 'n'] as const;
const PAIRS = [
  ['m', 'k'],
  ['m', 'n'],
  ['k', 'n'],
] as const;

describe.each(inShort([1, 20_261_122], 2))('of seed %i, at most 150 shapes', (seed) => {
  const shapes = design(seed);

  it('are the same again, and within the extent', () => {
    expect(shapes.length).toBeLessThanOrEqual(150);
    expect(design(seed)).toEqual(shapes);
    for (const { m, k, n } of shapes) {
      expect(m * k * n).toBeLessThanOrEqual(EXTENT.products);
      expect(Math.max(m * k, k * n, m * n)).toBeLessThanOrEqual(EXTENT.entries);
    }
  });

  it('have every pair of classes of sizes that there is room for', () => {
    const wrong: string[] = [];
    for (const [x, y] of PAIRS) {
      for (const one of sizeClasses) {
        for (const other of sizeClasses) {
          const isEmpty = one.most * other.most === 0;
          const found = shapes.some(
            (shape) =>
              belongsToClass(shape[x], one) &&
              belongsToClass(shape[y], other) &&
              (isEmpty || shape.m * shape.k * shape.n > 0),
          );
          const isWanted = one.least * other.least <= Math.min(EXTENT.entries, EXTENT.products);
          if (found !== isWanted) wrong.push(`${x} of ${one.name} and ${y} of ${other.name}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('have every pair of residues modulo 8, and every residue modulo 64, of products that are not empty', () => {
    const full = shapes.filter(({ m, k, n }) => m * k * n > 0);
    for (const [x, y] of PAIRS)
      expect(new Set(full.map((shape) => 8 * (shape[x] % 8) + (shape[y] % 8))).size).toBe(64);
    for (const key of KEYS) expect(new Set(full.map((shape) => shape[key] % 64)).size).toBe(64);
  });
});

itWhole('another seed has other shapes', () => {
  const [one, other] = [1, 2].map((seed) => design(seed).map(({ m, k, n }) => `${m}×${k}×${n}`));
  const both = one.filter((text) => other.includes(text));
  expect(both.length).toBeLessThan(10);
});

itWhole('of a kernel that takes squares alone, squares of many classes', () => {
  const shapes = design(1, ({ m, k, n }) => m === k && k === n);
  expect(sizeClasses.filter((one) => shapes.some(({ m }) => belongsToClass(m, one))).length).toBeGreaterThan(
    4,
  );
});

itWhole('of a kernel that takes few, only those, of all classes that it takes', () => {
  const shapes = design(1, ({ m, k, n }) => m % 4 === 0 && k % 4 === 0 && n >= 1 && n <= 600);
  expect(shapes.every(({ m, k, n }) => m % 4 === 0 && k % 4 === 0 && n >= 1 && n <= 600)).toBe(true);
  const met = (key: keyof Shape) =>
    sizeClasses
      .filter((one) => shapes.some((shape) => belongsToClass(shape[key], one)))
      .map(({ name }) => name);
  expect(met('m')).toEqual(
    sizeClasses.map(({ name }) => name).filter((name) => name !== '1' && !name.includes('prime')),
  );
  expect(met('n')).toEqual(sizeClasses.slice(1, 8).map(({ name }) => name));
  expect(design(1, () => false)).toEqual([]);
});
