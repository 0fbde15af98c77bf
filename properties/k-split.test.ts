import fc from 'fast-check';
import { describe } from 'vitest';
import { zerosF64 } from '../src/matrix/dense.ts';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectWithin } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';
import { part } from './matrices.ts';

/**
 * The law: with A and B cut in two along k, A₁B₁ + A₂B₂ is AB within the sum of the three running bounds, for every
 * algorithm.
 *
 * Why: the exact products add up, and each computed one lies within its bound of its exact one. The sum is taken in
 * double, so its rounding is 2^-29 of binary32's: it is allowed for.
 */
const gpu = await openGpu();

const KERNELS = ['classical:naive', 'classical:register-8x16', 'strassen:naive', 'winograd:tiled-4'];
const INPUTS = ['uniform', 'wide-exponents', 'ill-conditioned', 'scaled-rows', 'inverse-pair', 'constant'];

describe('cutting k', () => {
  const values = cases({ kernels: KERNELS, inputs: INPUTS, levels: someLevels, largest: 33 }).filter(
    ({ problem: { k } }) => k > 1,
  );
  lawOfLongRuns(
    'in two: the products add up within the bounds',
    45,
    fc.tuple(values, fc.nat()),
    async ([value, cut]) => {
      const { a, b } = expand(value);
      const {
        problem: { m, k, n },
      } = value;
      const first = 1 + (cut % (k - 1));
      const pairs = [
        { a, b },
        { a: part(a, 0, 0, m, first), b: part(b, 0, 0, first, n) },
        { a: part(a, 0, first, m, k - first), b: part(b, first, 0, k - first, n) },
      ];
      const bounds = pairs.map(({ a, b }) => gpu.analyse(value, a, b).bound.data);
      const [whole, left, right] = [
        await gpu.multiply(value, pairs[0].a, pairs[0].b),
        await gpu.multiply(value, pairs[1].a, pairs[1].b),
        await gpu.multiply(value, pairs[2].a, pairs[2].b),
      ];
      const sum = zerosF64(m, n);
      for (let e = 0; e < sum.data.length; e++) sum.data[e] = left.data[e] + right.data[e];
      expectWithin(sum, whole, (e) => {
        const rounding = 2 ** -52 * (Math.abs(left.data[e]) + Math.abs(right.data[e]));
        return bounds[0][e] + bounds[1][e] + bounds[2][e] + rounding;
      });
    },
  );
});
