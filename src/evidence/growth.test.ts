import { expect, it, test } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { fitLevelsGrowth, fitPowerGrowth, slopeInterval } from './growth.ts';
import { coverage } from './growth-coverage.testing.ts';

test('finds the exponent and the coefficient of a power law', () => {
  const points = [64, 128, 256, 512].map((x) => ({ x, error: 3e-7 * x ** 1.5 }));
  const fit = fitPowerGrowth(points);
  if (!fit.fitted) expect.fail(fit.reason);
  expect(fit.exponent).toBeCloseTo(1.5, 12);
  expect(fit.coefficient / 3e-7).toBeCloseTo(1, 10);
  expect(fit.interval?.[0]).toBeCloseTo(1.5, 6);
  expect(fit.r2).toBeCloseTo(1, 12);
});

test('finds the factor of a level', () => {
  const fit = fitLevelsGrowth([0, 1, 2, 3].map((x) => ({ x, error: 1e-6 * 3.2 ** x })));
  if (!fit.fitted) expect.fail(fit.reason);
  expect(fit.factor).toBeCloseTo(3.2, 10);
  expect(fit.factorInterval?.[1]).toBeCloseTo(3.2, 5);
});

test('the interval is Student’s: worked by hand for five points', () => {
  // log2 errors 1, 3, 2, 5, 4 at levels 0…4: slope 0.8, residual 3.6, s² = 1.2, Σ(x − x̄)² = 10, t = 3.18244630528.
  const fit = fitLevelsGrowth([1, 3, 2, 5, 4].map((y, x) => ({ x, error: 2 ** y })));
  if (!fit.fitted) expect.fail(fit.reason);
  const half = 3.18244630528 * Math.sqrt(1.2 / 10);
  expect(fit.slope).toBeCloseTo(0.8, 12);
  expect(fit.intercept).toBeCloseTo(1.4, 12);
  expect(fit.r2).toBeCloseTo(0.64, 12);
  expect(fit.interval?.[0]).toBeCloseTo(0.8 - half, 6);
  expect(fit.interval?.[1]).toBeCloseTo(0.8 + half, 6);
});

test('replicates narrow the interval', () => {
  const noisy = (copies: number) =>
    Array.from({ length: copies }, () => [1, 3, 2, 5, 4].map((y, x) => ({ x, error: 2 ** y }))).flat();
  const width = (copies: number) => {
    const fit = fitLevelsGrowth(noisy(copies));
    return fit.fitted && fit.interval !== undefined ? fit.interval[1] - fit.interval[0] : Number.NaN;
  };
  expect(width(4)).toBeLessThan(width(1) / 2);
});

test('zeros are left out and counted', () => {
  const fit = fitPowerGrowth([
    { x: 8, error: 0 },
    { x: 16, error: 1 },
    { x: 32, error: 2 },
  ]);
  expect(fit).toMatchObject({ fitted: true, zeros: 1, points: 2, exponent: 1, interval: undefined });
});

test('too few sizes, or an error that is not finite, is no fit, and it says why', () => {
  expect(fitPowerGrowth([])).toMatchObject({
    fitted: false,
    reason: expect.stringContaining('found 0'),
  });
  expect(fitPowerGrowth([1, 2, 3].map((error) => ({ x: 64, error })))).toMatchObject({
    fitted: false,
    reason: expect.stringContaining('found 1'),
  });
  for (const error of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    const fit = fitPowerGrowth([
      { x: 8, error: 1 },
      { x: 16, error: 2 },
      { x: 32, error },
    ]);
    expect(fit).toMatchObject({
      fitted: false,
      reason: expect.stringContaining('not a finite positive number'),
    });
  }
});

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
