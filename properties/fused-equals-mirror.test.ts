import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockingFor, blockings, invocationsOf } from '../src/gpu/fused/blockings.ts';
import { single } from '../src/gpu/numerics/single.ts';
import { inputs } from '../src/inputs/inputs.ts';
import { runMirror } from '../src/readers/mirror.ts';
import { cases, expand } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';

/**
 * The law: fused products on the device are the mirror's, bit for bit, and write nothing but C.
 *
 * Why: factors are summed from left to right and updates made in the order of the plan, whatever the blocking and however
 * many products a dispatch has: those of a batch have no block of C in common.
 */
const gpu = await openGpu();
const { arithmetic } = gpu.open;
const families = inputs
  .map(({ name }) => name)
  .filter((name) => arithmetic.exceptionsFollowIeee || name !== 'special-values');

describe('fused products on the device', () => {
  // One blocking, and sizes of one or two of its blocks: every variant is a shader to compile.
  const kernels = ['strassen:fused-small'];
  const values = cases({ kernels, inputs: families, levels: fc.constant(1), largest: 33 });
  law("are the mirror's, bit for bit", 40, values, async (value) => {
    const { a, b } = expand(value);
    const { c, ...left } = await gpu.execute(value, a, b);
    expect(left).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
    if (arithmetic.mirrored) expectSameBits(c, runMirror(gpu.plan(value, a, b), a, b, arithmetic));
  });
});

describe('blockings', () => {
  it('fit a workgroup of 256 invocations and 16 KiB of memory, and divide themselves', () => {
    for (const blocking of blockings) {
      const { mS, nS, kS, mR, nR } = blocking;
      expect(invocationsOf(blocking)).toBeLessThanOrEqual(256);
      expect(4 * kS * (mS + 4 + nS)).toBeLessThanOrEqual(16384);
      expect([mS % mR, nS % nR, kS % 4, nS % 4]).toEqual([0, 0, 0, 0]);
    }
  });

  it.each([
    [8192, 8192, 2, 'huge'],
    [512, 512, 2, 'large'],
    [16384, 32, 1, 'tall'],
    [32, 16384, 1, 'wide'],
    [3, 3, 1, 'small'],
  ])('of %i×%i products, %i at once: %s by name', (m, n, batch, name) => {
    expect(blockingFor(m, n, batch, single).name).toBe(name);
    expect(blockingFor(m, n, batch, single, 'medium').name).toBe('medium');
  });
});
