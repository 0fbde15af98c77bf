import fc from 'fast-check';
import { describe } from 'vitest';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';
import { scaled } from './matrices.ts';

/**
 * The law: (2^p·A)(2^q·B) = 2^(p+q)·(AB), bit for bit, for every algorithm.
 *
 * Why: every operation of a plan is bilinear or linear, so all numbers met on the way are multiplied by 2^p, 2^q or
 * 2^(p+q). Rounding depends on the significand alone, as long as nothing overflows or becomes subnormal: the
 * inputs are multiples of 2^-35, so with p and q from −25 to 25 all numbers met are 0 or between 2^-120 and 2^120.
 */
const gpu = await openGpu();

const KERNELS = ['classical:tiled-8', 'classical:register', 'strassen:naive', 'winograd:register-8x16'];
const INPUTS = [
  'uniform',
  'uniform-2-5',
  'inverse-pair',
  'ill-conditioned',
  'scaled-rows',
  'complementary-zeros',
];

describe('scaling by powers of two', () => {
  const scalings = fc.record({
    value: cases({ kernels: KERNELS, inputs: INPUTS, levels: someLevels, largest: 33 }),
    p: fc.integer({ min: -25, max: 25 }),
    q: fc.integer({ min: -25, max: 25 }),
  });
  lawOfLongRuns('scales the product, bit for bit', 75, scalings, async ({ value, p, q }) => {
    const { a, b } = expand(value);
    const plain = await gpu.multiply(value, a, b);
    const product = await gpu.multiply(value, scaled(a, 2 ** p), scaled(b, 2 ** q));
    expectSameBits(product, scaled(plain, 2 ** (p + q)));
  });
});
