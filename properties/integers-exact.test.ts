import { describe } from 'vitest';
import { exactProduct } from '../src/exact/exact.ts';
import { cases, expand, noLevels, someLevels } from './arbitraries.ts';
import { expectSameNumbers } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';
import { classicalNames } from './leaf-names.ts';

/**
 * The law: on small whole numbers the device returns the exact product, for every algorithm, level, leaf kernel, fringe and tail.
 *
 * Why: the integer budget keeps every intermediate number below 2^24, where binary32 holds all whole numbers. Sums and products of those
 * are exact on any device that returns exact results when they can be represented, as WGSL demands. So a difference is no rounding but a
 * wrong index, sign, tail or step.
 */
const gpu = await openGpu();

const INTEGERS = ['integers', 'identity'];
const LEAVES = classicalNames(gpu.open);
const RECURSIVE = [
  'classical:naive',
  'strassen:naive',
  'strassen:register-8x16',
  'winograd:tiled-4',
  'winograd:register',
];

describe('integers are multiplied exactly', () => {
  const exact = async (value: Parameters<typeof expand>[0]) => {
    const { a, b } = expand(value);
    expectSameNumbers(await gpu.multiply(value, a, b), exactProduct(a, b).product);
  };
  lawOfLongRuns(
    'by every leaf kernel',
    75,
    cases({ kernels: LEAVES, inputs: INTEGERS, levels: noLevels, largest: 130 }),
    exact,
  );
  law(
    'at every level',
    75,
    cases({ kernels: RECURSIVE, inputs: INTEGERS, levels: someLevels, largest: 40 }),
    exact,
  );
});
