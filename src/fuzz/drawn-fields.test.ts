import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Shape } from '../matrix/dense.ts';
import { listTellingSizes } from '../problem/size-classes.ts';
import { DrawnFields, shapeArbitrary } from './drawn-fields.ts';

it('tells sizes at which faults show', () => {
  expect(listTellingSizes(20, [6])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 18, 19]);
  expect(listTellingSizes(1, [16])).toEqual([1]);
  expect(listTellingSizes(300, [])).toEqual(expect.arrayContaining([127, 128, 129, 255, 256, 257]));
});

const shapes = fc.sample(shapeArbitrary({ maxSize: 64, tiles: [16] }), { seed: 1, numRuns: 2000 });

it.each<[string, (shape: Shape) => boolean, number]>([
  ['in range', ({ m, k, n }) => [m, k, n].every((size) => size >= 1 && size <= 64), 1],
  ['cubes', ({ m, k, n }) => m === k && k === n, 0.2],
  ['thin', ({ m, n }) => m >= 8 * n, 0.05],
  ['fat', ({ m, n }) => n >= 8 * m, 0.05],
  ['of 1', ({ m, k, n }) => [m, k, n].includes(1), 0.1],
  ['at the edge of a tile', ({ m, k, n }) => [m, k, n].some((size) => [15, 17, 31, 33].includes(size)), 0.1],
])('draws shapes %s', (_, test, least) => {
  expect(shapes.filter(test).length / shapes.length).toBeGreaterThanOrEqual(least);
});

it('shrinks to the smallest shape', () => {
  const fails = ({ m, k, n }: Shape) => m >= 5 && k >= 2 && n >= 7;
  const { counterexample } = fc.check(
    fc.property(shapeArbitrary({ maxSize: 64, tiles: [16] }), (shape) => !fails(shape)),
    { seed: 3, numRuns: 1000 },
  );
  expect(counterexample).toEqual([{ m: 5, k: 2, n: 7 }]);
});

it('ends where a simpler value settles to the one before', () => {
  const settled = new DrawnFields(['m', 'k', 'n'], { maxSize: 64, tiles: [16] }, (drawn) => ({
    ...(drawn as Shape),
    // A smaller n brings back the larger m.
    m: (drawn.n ?? 0) % 2 === 0 ? 9 : 8,
  }));
  const { counterexample, numShrinks } = fc.check(
    fc.property(settled, () => false),
    { seed: 3 },
  );
  expect(numShrinks).toBeLessThan(1000);
  expect(counterexample?.[0]).toMatchObject({ k: 1, n: 1 });
});
