import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { everySize } from './special-shapes.ts';

it('has each size of each dimension, and squares of small ones, other ones for another seed', () => {
  const shapes = everySize(createRandom(1), 200, () => true);
  for (const key of ['m', 'k', 'n'] as const)
    for (let size = 1; size <= 200; size++) expect(shapes.some((shape) => shape[key] === size)).toBe(true);
  for (let size = 1; size <= 32; size++)
    expect(shapes.some(({ m, n }) => m === size && n === size)).toBe(true);
  expect(everySize(createRandom(2), 200, () => true)).not.toEqual(shapes);
});

it('of a kernel that takes squares alone has each of them, and of one that takes nothing none', () => {
  const cubes = everySize(createRandom(1), 200, ({ m, k, n }) => m === k && k === n);
  expect(cubes.every(({ m, k, n }) => m === k && k === n)).toBe(true);
  expect(new Set(cubes.map(({ m }) => m)).size).toBeGreaterThan(140);
  expect(everySize(createRandom(1), 64, () => false)).toEqual([]);
});
