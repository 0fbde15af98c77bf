import { expect, it } from 'vitest';
import { seeded } from '../base/random.ts';
import { everySize } from './every-size.ts';

it('has each size of each dimension, and squares of small ones, other ones for another seed', () => {
  const shapes = everySize(seeded(1), 200, () => true);
  for (const key of ['m', 'k', 'n'] as const)
    expect(new Set(shapes.slice(0, 200).map((shape) => shape[key])).size).toBe(200);
  for (let size = 1; size <= 32; size++)
    expect(shapes.some(({ m, n }) => m === size && n === size)).toBe(true);
  expect(everySize(seeded(2), 200, () => true)).not.toEqual(shapes);
});

it('of a kernel that takes squares alone has each of them, and of one that takes nothing none', () => {
  const cubes = everySize(seeded(1), 64, ({ m, k, n }) => m === k && k === n);
  expect(new Set(cubes.map(({ m }) => m)).size).toBe(64);
  expect(everySize(seeded(1), 64, () => false)).toEqual([]);
});
