import fc from 'fast-check';
import { describe } from 'vitest';
import { cases, expand, noLevels, someLevels } from './arbitraries.ts';
import { expectSameNumbers, expectWithin } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';
import { part } from './matrices.ts';

/**
 * The law: rows of zeros below A, columns of zeros beside B and zeros along k leave the entries of C, bit for bit
 * but for the signs of zeros, for classical products without recursion, and within the sum of the two running
 * bounds for all others; the new entries of C are zeros.
 *
 * Why: the zeros along k come last in the order of summation, and s + 0·0 = s. Recursion cuts the larger matrices
 * elsewhere, so other numbers are added, but for the same exact product.
 */
const gpu = await openGpu();

const CLASSICAL = ['classical:naive', 'classical:tiled-4', 'classical:register'];
const RECURSIVE = ['classical:tiled-8', 'strassen:register-8x16', 'winograd:naive'];
const INPUTS = ['uniform', 'wide-exponents', 'ill-conditioned', 'subnormals', 'complementary-zeros'];

const more = fc.constantFrom(0, 1, 2, 3, 4, 7, 8, 13);
const extra = fc.record({ m: more, k: more, n: more });

describe('appending zeros', () => {
  const leaves = cases({ kernels: CLASSICAL, inputs: INPUTS, levels: noLevels, largest: 70 });
  law('to a classical product: the same numbers', 50, fc.tuple(leaves, extra), async ([value, by]) => {
    const { a, b } = expand(value);
    const [m, k, n] = [value.problem.m + by.m, value.problem.k + by.k, value.problem.n + by.n];
    const product = await gpu.multiply(value, a, b);
    const padded = await gpu.multiply(value, part(a, 0, 0, m, k), part(b, 0, 0, k, n));
    expectSameNumbers(padded, part(product, 0, 0, m, n));
  });

  const recursive = cases({ kernels: RECURSIVE, inputs: INPUTS, levels: someLevels, largest: 33 });
  lawOfLongRuns(
    'to any product: within the two bounds',
    35,
    fc.tuple(recursive, extra),
    async ([value, by]) => {
      const { a, b } = expand(value);
      const [m, k, n] = [value.problem.m + by.m, value.problem.k + by.k, value.problem.n + by.n];
      const [paddedA, paddedB] = [part(a, 0, 0, m, k), part(b, 0, 0, k, n)];
      const bound = gpu.analyse(value, a, b).bound;
      const paddedBound = gpu.analyse(value, paddedA, paddedB).bound;
      const product = await gpu.multiply(value, a, b);
      const padded = await gpu.multiply(value, paddedA, paddedB);
      expectWithin(padded, part(product, 0, 0, m, n), (e) => {
        const [i, j] = [Math.floor(e / n), e % n];
        const ofPlain = i < value.problem.m && j < value.problem.n ? bound.data[i * value.problem.n + j] : 0;
        return ofPlain + paddedBound.data[e];
      });
    },
  );
});
