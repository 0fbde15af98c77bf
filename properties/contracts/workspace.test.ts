import { describe, expect, test } from 'vitest';
import { algorithms, findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { scheduleValuesOf } from '../../src/algorithms/notation.ts';
import { compile } from '../../src/plan/compile.ts';
import { launchesOf } from '../../src/plan/pack.ts';
import { placeValues } from '../../src/plan/places.ts';
import type { Style } from '../../src/plan/plan.ts';

/**
 * The contract: the number of workspace blocks that a level of each algorithm takes, where all blocks have one size. A smaller number is an
 * improvement, to be recorded here; a larger one is a defect of the placement.
 */
const BLOCK = 64;
const recorded: Record<string, { scheduled: number; wide: number }> = {
  classical: { scheduled: 1, wide: 4 },
  strassen: { scheduled: 2, wide: 7 },
  winograd: { scheduled: 2, wide: 5 },
  laderman: { scheduled: 3, wide: 20 },
  'hopcroft-kerr-223': { scheduled: 3, wide: 10 },
  'hopcroft-kerr-234': { scheduled: 3, wide: 22 },
};

function blocksOf(name: string, style: Style): number {
  const algorithm = findAlgorithm(name);
  const values = scheduleValuesOf(algorithm);
  const { n, k } = algorithm.base;
  const sizes = { A: BLOCK, B: BLOCK, C: BLOCK };
  const { top } = placeValues({
    ...{ values, launches: launchesOf(values, style), sizes, columns: n, inner: k, start: 0 },
    inRegisters: false,
    free: style === 'wide',
  });
  return top / BLOCK;
}

test('every algorithm is recorded', () => {
  expect(Object.keys(recorded)).toEqual(algorithms.map(({ name }) => name));
});

describe.each(Object.entries(recorded))('the workspace of a level of %s', (name, { scheduled, wide }) => {
  test.each([
    ['scheduled', scheduled],
    ['wide', wide],
  ] as const)('%s: %i blocks', (style, blocks) => {
    expect(blocksOf(name, style)).toBe(blocks);
  });

  test.each([
    ['scheduled', scheduled],
    ['wide', wide],
  ] as const)('%s: levels of a plan take no more than their blocks', (style, blocks) => {
    const algorithm = findAlgorithm(name);
    const { m, k, n } = algorithm.base;
    const shape = { m: 8 * m ** 2, k: 8 * k ** 2, n: 8 * n ** 2 };
    const { sizes } = compile({ algorithm, shape, depth: { levels: 2 }, style });
    // Blocks are as large as the largest of A's, B's and C's, which differ where the base is not square.
    const largest = [1, 2].map((level) => {
      const [rows, inner, cols] = [m, k, n].map((parts) => 8 * parts ** (2 - level));
      return Math.max(rows * inner, inner * cols, rows * cols);
    });
    expect(sizes.W).toBeLessThanOrEqual(blocks * largest.reduce((x, y) => x + y));
  });
});
