import { describe } from 'vitest';
import { changed } from '../src/problem/case.ts';
import { fringes } from '../src/problem/method.ts';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectSameNumbers, expectWithin } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';

/**
 * The law: bounds checks and padded tiles give the same numbers; padding and peeling agree within the sum of their
 * running bounds, and exactly on whole numbers.
 *
 * Why: to pad a leaf block adds terms 0·0 at the end of a sum and entries nobody reads, which changes no number (but
 * for a zero's sign). Padding and peeling the fringe cut a matrix at different places, so they round differently, but
 * compute one exact product.
 */
const gpu = await openGpu();

const KERNELS = ['classical:tiled-8', 'strassen:register-8x16', 'winograd:naive', 'winograd:tiled-4'];

describe('fringes and tails', () => {
  const inputs = [
    'uniform',
    'wide-exponents',
    'scaled-rows',
    'inverse-pair',
    'subnormals',
    'ill-conditioned',
  ];
  const rounding = cases({ kernels: KERNELS, inputs, levels: someLevels, largest: 40 });
  lawOfLongRuns('guarded and padded tails: the same numbers', 25, rounding, async (value) => {
    const { a, b } = expand(value);
    const guarded = await gpu.multiply(changed(value, { tail: 'mask' }), a, b);
    expectSameNumbers(await gpu.multiply(changed(value, { tail: 'pad' }), a, b), guarded);
  });

  lawOfLongRuns('padded and peeled fringes: within the two bounds', 25, rounding, async (value) => {
    const { a, b } = expand(value);
    const [ofPad, ofPeel] = fringes.map((fringe) => gpu.analyse(changed(value, { fringe }), a, b).bound.data);
    const padded = await gpu.multiply(changed(value, { fringe: 'pad' }), a, b);
    const peeled = await gpu.multiply(changed(value, { fringe: 'peel' }), a, b);
    expectWithin(peeled, padded, (e) => ofPad[e] + ofPeel[e]);
  });

  const integers = cases({ kernels: KERNELS, inputs: ['integers'], levels: someLevels, largest: 40 });
  law('padded and peeled fringes: the same whole numbers', 25, integers, async (value) => {
    const { a, b } = expand(value);
    const padded = await gpu.multiply(changed(value, { fringe: 'pad' }), a, b);
    expectSameNumbers(await gpu.multiply(changed(value, { fringe: 'peel' }), a, b), padded);
  });
});
