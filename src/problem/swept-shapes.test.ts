import { expect, it } from 'vitest';
import { SWEEPS, sweptShapes } from './swept-shapes.ts';

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
