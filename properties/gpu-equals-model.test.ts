import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { algorithms } from '../src/algorithms/algorithms.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { inputs } from '../src/inputs/inputs.ts';
import { singleComputation } from '../src/precision/single.ts';
import { runModel } from '../src/readers/model.ts';
import { adversaries } from './adversaries.ts';
import { cases, expand, someLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import { leafNames } from './leaf-names.ts';
import { scaled } from './matrices.ts';

/**
 * The law: the device's result equals the model's, bit for bit, for every algorithm, leaf kernel, fringe, tail, level, shape and input,
 * NaNs of any payload alike.
 *
 * Why: the plan fixes every operation and its operands, each is rounded once, and the model repeats them in the arithmetic measured on the
 * device. So it is also a law about the plan's readers: bound and sigma start from the model's values.
 */
const gpu = await openGpu();
const { arithmetic, fingerprint } = gpu.open;

const ieee = arithmetic.exceptions;

/** Exponents toward overflow (which depends on the device without IEEE's exceptions), toward underflow, and of subnormal operands. */
const scales = [
  [62, 62],
  [-62, -62],
  [-130, 100],
  [100, -130],
] as const;

const families = [...inputs, ...adversaries].map(({ name }) => name);
const held = arithmetic.exceptions ? families : families.filter((name) => name !== 'special-values');

/** Leaves that stand for all others under recursion, where a leaf differs only by its updates, which all leaves share. */
const UNDER_RECURSION = ['naive', 'tiled-8', 'register-8x16'];

const KERNELS = algorithms.flatMap(({ name }) =>
  leafNames(gpu.open)
    .filter((leaf) => name === 'classical' || UNDER_RECURSION.includes(leaf))
    .map((leaf) => `${name}:${leaf}`),
);

let compared = 0;
afterAll(() => {
  console.log(`${compared} products of ${fingerprint.name} compared with the model, bit for bit.`);
});

describe('the device computes what the model computes', () => {
  if (!arithmetic.modeled) {
    it.skip('the arithmetic of this device is none of those that can be mirrored');
    return;
  }
  describe.each(inShort(KERNELS, 11))('%s', (kernel) => {
    const values = cases({ kernels: [kernel], inputs: held, levels: someLevels, largest: 40 });
    const exponents = fc.constantFrom([0, 0] as const, ...scales.filter(([p, q]) => ieee || p + q <= 0));
    law('bit for bit', 6, fc.tuple(values, exponents), async ([value, [p, q]]) => {
      const pair = expand(value);
      const [a, b] = [scaled(pair.a, 2 ** p), scaled(pair.b, 2 ** q)];
      const model = runModel(gpu.plan(value, a, b), a, b, singleComputation(arithmetic));
      expectSameBits(await gpu.multiply(value, a, b), model);
      compared++;
    });
  });
});
