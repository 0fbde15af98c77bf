import { describe } from 'vitest';
import { transpose } from '../src/matrix/dense.ts';
import { cases, expand, noLevels, someLevels } from './arbitraries.ts';
import { expectSameBits, expectWithin } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';

/**
 * The law: BᵀAᵀ is (AB)ᵀ; bit for bit for classical products without recursion, within the sum of the two running
 * bounds for all others.
 *
 * Why: a leaf kernel sums x·y over k in the same order both ways, and x·y = y·x also when rounded. A fast algorithm
 * is not symmetric in A and B, but both results lie within their bounds of one exact product.
 */
const gpu = await openGpu();

const CLASSICAL = ['classical:naive', 'classical:tiled', 'classical:register'];
const RECURSIVE = ['classical:naive', 'strassen:naive', 'winograd:register-8x16'];
const INPUTS = ['uniform', 'wide-exponents', 'ill-conditioned', 'subnormals', 'scaled-rows'];

describe('transposing', () => {
  const leaves = cases({ kernels: CLASSICAL, inputs: INPUTS, levels: noLevels, largest: 70 });
  law('a classical product: the same bits', 75, leaves, async (value) => {
    const { a, b } = expand(value);
    const product = await gpu.multiply(value, a, b);
    expectSameBits(await gpu.multiply(value, transpose(b), transpose(a)), transpose(product));
  });

  const recursive = cases({ kernels: RECURSIVE, inputs: INPUTS, levels: someLevels, largest: 33 });
  lawOfLongRuns('any product: within the two bounds', 50, recursive, async (value) => {
    const { a, b } = expand(value);
    const [bt, at] = [transpose(b), transpose(a)];
    const bounds = [gpu.analyse(value, a, b).bound, transpose(gpu.analyse(value, bt, at).bound)];
    const product = await gpu.multiply(value, a, b);
    const transposed = transpose(await gpu.multiply(value, bt, at));
    expectWithin(transposed, product, (e) => bounds[0].data[e] + bounds[1].data[e]);
  });
});
