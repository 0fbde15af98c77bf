import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { inputs } from '../src/inputs/inputs.ts';
import { allBuiltinNames } from '../src/kernel/builtin.ts';
import { runMirror } from '../src/readers/mirror.ts';
import { adversaries } from './adversaries.ts';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import { scaled } from './matrices.ts';

/**
 * The law: the device's result is the mirror's, bit for bit, for every algorithm, leaf kernel, border, edge, level,
 * shape and input, NaNs of any payload alike.
 *
 * Why: the plan fixes every operation and its operands, each is rounded once, and the mirror repeats them in the
 * arithmetic measured on the device. So it is also a law about the plan's readers: bound and sigma start from the
 * mirror's values.
 */
const gpu = await openGpu();
const { arithmetic, fingerprint } = gpu.open;

const families = [...inputs, ...adversaries].map(({ name }) => name);
const held = arithmetic.exceptionsFollowIeee
  ? families
  : families.filter((name) => name !== 'special-values');

let compared = 0;
afterAll(() => {
  console.log(`${compared} products of ${fingerprint.name} compared with the mirror, bit for bit.`);
});

describe('the device computes what the mirror computes', () => {
  if (!arithmetic.mirrored) {
    it.skip('the arithmetic of this device is none of those that can be mirrored');
    return;
  }
  describe.each(allBuiltinNames)('%s', (kernel) => {
    const values = cases({ kernels: [kernel], inputs: held, levels: someLevels, largest: 40 });
    // towards overflow and underflow; without IEEE's exceptions overflow is the device's own affair
    const exponents = fc.constantFrom(0, 0, 0, -62, arithmetic.exceptionsFollowIeee ? 62 : 0);
    law('bit for bit', 30, fc.tuple(values, exponents), async ([value, exponent]) => {
      const pair = expand(value);
      const [a, b] = [scaled(pair.a, 2 ** exponent), scaled(pair.b, 2 ** exponent)];
      const mirror = runMirror(gpu.plan(value, a, b), a, b, arithmetic);
      expectSameBits(await gpu.multiply(value, a, b), mirror);
      compared++;
    });
  });
});
