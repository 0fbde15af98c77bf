import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { kindsOfPrecisions } from '../src/precision/kinds.testing.ts';
import { isSampled } from '../src/precision/precisions.ts';
import { seeds } from './arbitraries.ts';
import { law } from './law.ts';
import { type Means, meansOf } from './mean-error.ts';

/**
 * The law: in every precision the mean error grows from level to level, and from n/2 to n, by the factor that the sigma reader predicts,
 * within a factor of 1.5, and so in the same order.
 *
 * Why: sigma follows the roundings of the same plan. So its errors (in the size of partial sums, and the spread of one rounding) are equal
 * at every level and size, and cancel in the ratio.
 */
const FACTOR = 1.5;

const products = fc.record({
  algorithm: fc.constantFrom('strassen', 'winograd'),
  n: fc.constantFrom(24, 28),
  seed: seeds,
  times: fc.constant(4),
});

function expectSameGrowth(from: Means, to: Means): void {
  const [measured, predicted] = [to.error / from.error, to.sigma / from.sigma];
  expect(measured).toBeGreaterThan(1);
  expect(measured / predicted).toBeGreaterThan(1 / FACTOR);
  expect(measured / predicted).toBeLessThan(FACTOR);
}

/**
 * Excludes precisions of few bits without factors, whose sums of this length are exact, and those with errors of the last rounding alone.
 */
const names = kindsOfPrecisions
  .filter(
    (one) => isSampled(one) || (one.coded !== undefined && one.d.precision === one.accumulated.precision),
  )
  .map(({ name }) => name);

describe.each(inShort(names, 8))('in %s', (precision) => {
  law('errors grow with levels and size as predicted', 3, products, (product) => {
    const [plain, one, two] = [0, 1, 2].map((levels) => meansOf({ ...product, precision, levels }));
    expectSameGrowth(plain, one);
    expectSameGrowth(one, two);
    expectSameGrowth(meansOf({ ...product, precision, n: product.n / 2, levels: 1 }), one);
  });
});
