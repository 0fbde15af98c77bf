import { expect, test } from 'vitest';
import { inSigmas } from './sigmas.ts';

const reals = (...values: number[]) => Float64Array.from(values);

test('counts errors of either sign in sigmas', () => {
  const { entries, worst, at, beyond } = inSigmas(reals(0.5, -3.5, 2, 6.5), reals(1, 1, 1, 1));
  expect({ entries, worst, at }).toEqual({ entries: 4, worst: 6.5, at: 3 });
  expect(beyond).toEqual([0.75, 0.5, 0.5, 0.25, 0.25, 0.25]);
});

test('no error is fine without a sigma; an error there is infinitely many', () => {
  expect(inSigmas(reals(0, 1), reals(0, 1)).worst).toBe(1);
  expect(inSigmas(reals(1e-300), reals(0)).worst).toBe(Number.POSITIVE_INFINITY);
});

test('NaN never passes', () => {
  for (const [error, sigma] of [
    [Number.NaN, 1],
    [1, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ]) {
    expect(inSigmas(reals(error), reals(sigma))).toMatchObject({ worst: Number.POSITIVE_INFINITY, at: 0 });
  }
});

test('nothing is nothing, and lengths must agree', () => {
  expect(inSigmas(reals(), reals())).toEqual({
    entries: 0,
    worst: 0,
    at: undefined,
    beyond: [0, 0, 0, 0, 0, 0],
  });
  expect(() => inSigmas(reals(1), reals())).toThrow('each error needs its sigma');
});
