import { describe } from 'vitest';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectSameNumbers } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';
import { scaled } from './matrices.ts';

/**
 * The law: (−A)B = A(−B) = −(AB) and (−A)(−B) = AB, bit for bit but for the signs of zeros, for every algorithm.
 *
 * Why: rounding to nearest is symmetric about 0, and so is flushing, so changing the sign of an operand changes the
 * signs of all numbers met on the way and nothing else. Zeros are the exception: x − x is +0 whatever the sign
 * of x, and sums start at +0. A zero's sign does not reach any other number, since nothing divides by it.
 */
const gpu = await openGpu();

const KERNELS = ['classical:tiled-4', 'classical:register-32x32', 'strassen:register-8x16', 'winograd:naive'];
const INPUTS = [
  'uniform',
  'wide-exponents',
  'ill-conditioned',
  'complementary-zeros',
  'subnormals',
  'integers',
];

describe('changing signs', () => {
  const values = cases({ kernels: KERNELS, inputs: INPUTS, levels: someLevels, largest: 33 });
  lawOfLongRuns(
    'of one operand or both changes the sign of the product, or not',
    30,
    values,
    async (value) => {
      const { a, b } = expand(value);
      const [minusA, minusB] = [scaled(a, -1), scaled(b, -1)];
      const product = await gpu.multiply(value, a, b);
      expectSameNumbers(await gpu.multiply(value, minusA, b), scaled(product, -1));
      expectSameNumbers(await gpu.multiply(value, a, minusB), scaled(product, -1));
      expectSameNumbers(await gpu.multiply(value, minusA, minusB), product);
    },
  );
});
