import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { everySize, SWEEPS, sweptShapes } from './special-shapes.ts';

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

const textsOf = (seed: number) => [...sweptShapes(seed)].map(({ m, k, n }) => `${m}×${k}×${n}`);

it('shapes of consecutive sweeps are all small ones, each once, and the same for the same seed', () => {
  const first = 5 * SWEEPS;
  const all = Array.from({ length: SWEEPS }, (_, at) => textsOf(first + at));
  const small = Array.from({ length: 48 ** 3 }, (_, at) => [
    1 + (at % 48),
    1 + (Math.floor(at / 48) % 48),
    1 + Math.floor(at / 48 ** 2),
  ]);
  const few = small.filter(([m, k, n]) => m * k * n <= 2 ** 13).map((sizes) => sizes.join('×'));
  expect(new Set(all.flat())).toEqual(new Set(few));
  expect(all.flat()).toHaveLength(few.length);
  expect(textsOf(first)).toEqual(all[0]);
  expect(textsOf(first + SWEEPS).slice(0, 9)).not.toEqual(all[0].slice(0, 9));
});
