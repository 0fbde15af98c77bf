import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fusedTiling, fusedTilings, tileShapeOf } from '../src/gpu/wgsl/tilings.ts';
import { inputs } from '../src/inputs/inputs.ts';
import { singleComputation } from '../src/precision/single.ts';
import { single } from '../src/precision/wgsl/numeric.ts';
import { runModel } from '../src/readers/model.ts';
import { cases, expand } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';

/**
 * The law: fused products on the device equal the model's, bit for bit, and write only C.
 *
 * Why: factors are summed from left to right and updates made in the order of the plan, for every blocking and every number of products in
 * a dispatch: those of a batch share no block of C.
 */
const gpu = await openGpu();
const { arithmetic } = gpu.open;
const families = inputs
  .map(({ name }) => name)
  .filter((name) => arithmetic.exceptions || name !== 'special-values');

describe('fused products on the device', () => {
  // One blocking, and sizes of one or two of its blocks: every variant is a shader to compile.
  const kernels = ['strassen:fused-small'];
  const values = cases({ kernels, inputs: families, levels: fc.constant(1), largest: 33 });
  lawOfLongRuns("are the model's, bit for bit", 40, values, async (value) => {
    const { a, b } = expand(value);
    const { c, ...left } = await gpu.execute(value, a, b);
    expect(left).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
    if (arithmetic.modeled)
      expectSameBits(c, runModel(gpu.plan(value, a, b), a, b, singleComputation(arithmetic)));
  });
});

describe('tilings of fused products', () => {
  it('fit a workgroup of 256 invocations and 16 KiB of memory, and are read four at a time', () => {
    for (const tiling of fusedTilings) {
      const { m, k, n } = tileShapeOf(tiling);
      expect(tiling.across * tiling.down).toBeLessThanOrEqual(256);
      expect(4 * k * (m + 4 + n)).toBeLessThanOrEqual(16384);
      expect([k % 4, n % 4]).toEqual([0, 0]);
    }
  });

  it.each([
    [8192, 8192, 2, 'huge'],
    [512, 512, 2, 'large'],
    [16384, 32, 1, 'tall'],
    [32, 16384, 1, 'wide'],
    [3, 3, 1, 'small'],
  ])('of %i×%i products, %i at once: %s by name', (m, n, batch, name) => {
    expect(fusedTiling(m, n, batch, single).name).toBe(name);
    expect(fusedTiling(m, n, batch, single, 'medium').name).toBe('medium');
  });
});
