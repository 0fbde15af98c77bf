import { expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { coverage } from './growth-coverage.testing.ts';
import { slopeInterval } from './slope-interval.ts';

itWhole.each(
  inShort(
    [
      { scatter: 'normal', sizes: 3, replicates: 2 },
      { scatter: 'gumbel', sizes: 4, replicates: 3 },
      { scatter: 'less with n', sizes: 4, replicates: 3 },
    ],
    2,
  ),
)('holds the truth 93 to 97 times of 100: $sizes sizes, $replicates replicates, $scatter', (design) => {
  const held = coverage({ ...design, trials: 1000, seed: 1 });
  expect(held).toBeGreaterThan(0.93);
  expect(held).toBeLessThan(0.97);
});

const x = [0, 0, 0, 1, 1, 1, 2, 2, 2];

it('is the same again, and empty where nothing scatters', () => {
  const residuals = [0.1, -0.2, 0.3, -0.1, -0.2, 0.1, 0.2, -0.1, -0.1];
  expect(slopeInterval({ x, residuals }, 0.95)).toEqual(slopeInterval({ x, residuals }, 0.95));
  expect(slopeInterval({ x, residuals: x.map(() => 0) }, 0.95)).toEqual([0, 0]);
});

it('leans where residuals do, and widens with the confidence', () => {
  const residuals = [3, -1, -1, -1, -1, 1, 0, -1, 1];
  const [low, high] = slopeInterval({ x, residuals }, 0.95) ?? [0, 0];
  const [lower, higher] = slopeInterval({ x, residuals }, 0.99) ?? [0, 0];
  expect(low).toBeLessThan(0);
  expect(high).toBeGreaterThan(0);
  expect(higher - lower).toBeGreaterThan(high - low);
  expect(slopeInterval({ x: [0, 1], residuals: [0, 0] }, 0.95)).toBeUndefined();
});

it('reaches as far as Student’s interval where residuals are those of a normal sample', () => {
  // 40 residuals at the quantiles of the normal distribution, in an order independent of x: s = 0.1.
  const places = Array.from({ length: 40 }, (_, i) => Math.floor(i / 10));
  const order = places.map((_, i) => (i * 7) % 40);
  const residuals = order.map((r) => 0.1 * Math.log((r + 0.5) / (39.5 - r)) * (Math.sqrt(3) / Math.PI));
  const [low, high] = slopeInterval({ x: places, residuals }, 0.95) ?? [0, 0];
  const sxx = 40 * 1.25;
  const s2 = residuals.reduce((sum, r) => sum + r * r, 0) / 38;
  const half = 2.0244 * Math.sqrt(s2 / sxx);
  expect(high / half).toBeCloseTo(1, 1);
  expect(-low / half).toBeCloseTo(1, 1);
});
