import { describe } from 'vitest';
import { cases, expand, noLevels, someLevels } from './arbitraries.ts';
import { expectSameBits, expectWithin } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';
import { identityMatrix } from './matrices.ts';

/**
 * The law: A·I and I·A are A; bit for bit for classical products without recursion, within the running bound for
 * all others, and exactly for all on small whole numbers.
 *
 * Why: each sum has one term other than 0, a·1 = a, and a + 0 = a. A fast algorithm adds other entries of A to a and
 * takes them off again: that rounds, unless all sums are whole numbers below 2^24.
 */
const gpu = await openGpu();

const CLASSICAL = ['classical:naive', 'classical:tiled-8', 'classical:register'];
const RECURSIVE = ['classical:register-8x16', 'strassen:tiled-4', 'winograd:naive'];

describe('the identity', () => {
  const leaves = cases({
    kernels: CLASSICAL,
    inputs: ['uniform', 'wide-exponents'],
    levels: noLevels,
    largest: 70,
  });
  law('in a classical product returns the other operand', 45, leaves, async (value) => {
    const { a } = expand(value);
    expectSameBits(await gpu.multiply(value, a, identityMatrix(a.cols)), a);
    expectSameBits(await gpu.multiply(value, identityMatrix(a.rows), a), a);
  });

  const inputs = ['uniform', 'wide-exponents', 'scaled-rows', 'subnormals'];
  lawOfLongRuns(
    'in any product returns it within the bound',
    30,
    cases({ kernels: RECURSIVE, inputs, levels: someLevels, largest: 33 }),
    async (value) => {
      const { a } = expand(value);
      for (const [x, y] of [
        [a, identityMatrix(a.cols)],
        [identityMatrix(a.rows), a],
      ]) {
        const { bound } = gpu.analyse(value, x, y);
        expectWithin(await gpu.multiply(value, x, y), a, (e) => bound.data[e]);
      }
    },
  );

  const integers = cases({ kernels: RECURSIVE, inputs: ['integers'], levels: someLevels, largest: 33 });
  lawOfLongRuns('in any product of whole numbers returns it exactly', 30, integers, async (value) => {
    const { a } = expand(value);
    expectSameBits(await gpu.multiply(value, a, identityMatrix(a.cols)), a);
    expectSameBits(await gpu.multiply(value, identityMatrix(a.rows), a), a);
  });
});
