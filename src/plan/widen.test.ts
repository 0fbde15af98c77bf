import { describe, expect, it } from 'vitest';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { scheduleOf } from '../algorithms/schedule.ts';
import { scheduleFaults } from '../algorithms/verify-schedule.ts';
import { emulated } from '../formats/arithmetic.ts';
import { uniform } from '../inputs/uniform.ts';
import { runMirror } from '../readers/mirror.ts';
import { compile } from './compile.ts';
import type { Style } from './plan.ts';
import { widen } from './widen.ts';

describe('a widened schedule', () => {
  it.each(algorithms)(
    'of $name computes the product, each matrix in passes of at most eight blocks',
    (algorithm) => {
      const groups = widen(scheduleOf(algorithm));
      expect(scheduleFaults(algorithm, groups)).toEqual([]);
      for (const { sums } of groups) {
        const names = new Set(
          sums.flatMap(({ target, terms }) => [target, ...terms.map(({ name }) => name)]),
        );
        expect(names.size).toBeLessThanOrEqual(8);
      }
      const products = groups.map(({ product }) => product !== undefined);
      expect(products.lastIndexOf(true) - products.indexOf(true) + 1).toBe(algorithm.u.length);
    },
  );

  it.each([
    ['strassen', 4, 13],
    ['winograd', 2, 11],
  ])('of %s sums before its products in %i passes, and takes %i blocks', (name, passes, blocks) => {
    const groups = widen(scheduleOf(findAlgorithm(name)));
    expect(groups.findIndex(({ product }) => product !== undefined)).toBe(passes);
    const shape = { m: 64, k: 64, n: 64 };
    const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels: 1 }, style: 'wide' });
    expect(plan.sizes.W).toBe(blocks * 32 * 32);
  });

  it.each([
    ['strassen', 'peel', 2],
    ['winograd', 'pad', 3],
    ['winograd', 'peel', 1],
  ] as const)('of %s, %s, at %i levels, has the bits of the schedule', (name, border, levels) => {
    const shape = { m: 37, k: 26, n: 41 };
    const { a, b } = uniform.generate({ ...shape, seed: 8 });
    const [wide, scheduled] = (['wide', 'scheduled'] as Style[]).map((style) => {
      const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, border, style });
      return runMirror(plan, a, b, emulated('f32'));
    });
    expect(wide).toEqual(scheduled);
  });
});
