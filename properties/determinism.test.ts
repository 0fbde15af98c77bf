import { describe } from 'vitest';
import { cases, expand, finiteInputs, someLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import { identityMatrix } from './matrices.ts';

/**
 * The law: the same product computed twice has the same bits, whatever was computed in between.
 *
 * Why: a plan fixes the order of all operations, every entry belongs to one invocation, and dispatches of a pass are
 * ordered. Two results differ only if an invocation reads what another writes in the same dispatch, or what nobody
 * wrote.
 */
const gpu = await openGpu();

const KERNELS = ['classical:tiled-8', 'classical:register-32x32', 'strassen:naive', 'winograd:register-8x16'];

describe('a product computed twice', () => {
  const values = cases({ kernels: KERNELS, inputs: finiteInputs, levels: someLevels, largest: 70 });
  law('has the same bits', 35, values, async (value) => {
    const { a, b } = expand(value);
    const first = await gpu.multiply(value, a, b);
    await gpu.multiply(value, b, identityMatrix(b.cols));
    expectSameBits(await gpu.multiply(value, a, b), first);
  });
});
