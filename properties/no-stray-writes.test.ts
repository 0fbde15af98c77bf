import { describe, expect } from 'vitest';
import { listDefaultInputs } from '../src/inputs/inputs.ts';
import { cases, expand, someLevels } from './arbitraries.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import { classicalNames } from './leaf-names.ts';

/**
 * The law: a product writes every entry of C, no word outside C and the workspace, and no word of A or B.
 *
 * Why: the slots that a step stores cover its blocks, the blocks of all steps cover C, and guards surround C and the workspace. C starts as
 * a NaN with a payload that no arithmetic produces.
 */
const gpu = await openGpu();

const LEAVES = classicalNames(gpu.open);
const KERNELS = [...LEAVES, 'strassen:naive', 'strassen:register-8x16', 'winograd:tiled-4'];

describe('a product writes', () => {
  const values = cases({
    kernels: KERNELS,
    inputs: listDefaultInputs().map(({ name }) => name),
    levels: someLevels,
    largest: 130,
  });
  law('all of C and nothing else', 90, values, async (value) => {
    const { a, b } = expand(value);
    const { c, unwritten, overwritten, changed } = await gpu.execute(value, a, b);
    expect([c.rows, c.cols]).toEqual([value.problem.m, value.problem.n]);
    expect({ unwritten, overwritten, changed }).toEqual({
      unwritten: 0,
      overwritten: 0,
      changed: 0,
    });
  });
});
