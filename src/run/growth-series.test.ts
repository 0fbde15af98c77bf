import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { fitSeries } from './growth-series.ts';

const SIZES = [32, 64, 128, 256];
const LEVELS = [0, 1, 2, 3];

/** Results whose mean error is n^0.75·3^levels, and the maximum n^1.25·5^levels. */
function series(change: (result: CaseResult) => CaseResult = (same) => same): CaseResult[] {
  return SIZES.flatMap((n) =>
    LEVELS.flatMap((levels) =>
      [1, 2, 3].map((seed) => {
        const maxError = 2 ** -24 * n ** 1.25 * 5 ** levels;
        const meanError = 2 ** -24 * n ** 0.75 * 3 ** levels;
        const shape = { m: n, k: n, n, seed, levels };
        const exact = { maxError, meanError };
        const about = { kernel: 'strassen:register', input: 'uniform', series: true };
        return change({ ...about, ...shape, exact } as unknown as CaseResult);
      }),
    ),
  );
}

const find = (cases: CaseResult[], measure: string, over: string, fixed: number) =>
  fitSeries(cases).find((fit) => fit.measure === measure && fit.over === over && fit.fixed === fixed);

it('recovers known slopes over sizes, and factors over levels', () => {
  expect(fitSeries(series())).toHaveLength(2 * (LEVELS.length + 1));
  for (const levels of LEVELS) {
    expect(find(series(), 'meanError', 'size', levels)?.slope).toBeCloseTo(0.75, 10);
    expect(find(series(), 'maxError', 'size', levels)?.slope).toBeCloseTo(1.25, 10);
  }
  const overLevels = find(series(), 'meanError', 'levels', 256);
  expect(overLevels?.slope).toBeCloseTo(Math.log2(3), 10);
  expect(overLevels?.points).toHaveLength(3 * LEVELS.length);
  expect(find(series(), 'maxError', 'levels', 256)?.slope).toBeCloseTo(Math.log2(5), 10);
});

it('holds the slope within an interval that scattered replicates widen', () => {
  const scattered = series((result) => {
    const factor = [0.9, 1, 1.1][result.seed - 1];
    return { ...result, exact: { ...result.exact!, meanError: factor * Number(result.exact?.meanError) } };
  });
  const [low, high] = find(scattered, 'meanError', 'size', 0)?.interval ?? [0, 0];
  expect(low).toBeLessThan(0.75);
  expect(high).toBeGreaterThan(0.75);
  expect(high - low).toBeGreaterThan(0.01);
});

it('takes the error against the ideal product where there is one', () => {
  const withIdeal = series((result) => ({
    ...result,
    ideal: { ...result.exact!, meanError: Number(result.exact?.meanError) * result.n },
  }));
  expect(find(withIdeal, 'meanError', 'size', 1)?.slope).toBeCloseTo(1.75, 10);
});

it('keeps kernels and inputs apart, and leaves out what is no series', () => {
  const other = series((result) => ({ ...result, kernel: 'classical:naive' }));
  const none = series((result) => ({ ...result, input: 'integers', series: false }));
  expect(fitSeries([...series(), ...other, ...none])).toHaveLength(4 * (LEVELS.length + 1));
  expect(fitSeries([])).toEqual([]);
});

it('says why there is no slope', () => {
  const infinite = series((result) => ({ ...result, exact: { ...result.exact!, meanError: 'Infinity' } }));
  expect(find(infinite, 'meanError', 'size', 0)).toMatchObject({
    points: [],
    reason: expect.stringMatching(/a slope needs nonzero errors/),
  });
  expect(find(infinite, 'maxError', 'size', 0)?.slope).toBeCloseTo(1.25, 10);
  const lost = series(({ exact: _, ...result }) => result);
  expect(fitSeries(lost)).toEqual([]);
});

it('fits nothing over levels where there is one', () => {
  const one = series().filter(({ levels }) => levels === 2);
  expect(fitSeries(one).map(({ over, fixed }) => [over, fixed])).toEqual([
    ['size', 2],
    ['size', 2],
  ]);
});

it('fits what theory says through the same places, but beside an ideal product', () => {
  const theory = ({ n, levels }: CaseResult) => ({
    sigma: { worst: 1, largest: n * 2 ** levels },
    runningBound: { largest: n ** 2 * 8 ** levels, used: 0.1, vacuous: false },
  });
  const told = series((result) => ({ ...result, ...theory(result) }));
  const [size, levels] = [find(told, 'meanError', 'size', 1), find(told, 'maxError', 'levels', 256)];
  expect([size?.expected, size?.bound]).toEqual([expect.closeTo(1, 10), expect.closeTo(2, 10)]);
  expect([levels?.expected, levels?.bound]).toEqual([expect.closeTo(1, 10), expect.closeTo(3, 10)]);
  const beside = series((result) => ({ ...result, ...theory(result), ideal: result.exact! }));
  expect(find(beside, 'meanError', 'size', 1)).not.toHaveProperty('expected');
  expect(find(series(), 'meanError', 'size', 1)).not.toHaveProperty('bound');
});
