import { expect, it } from 'vitest';
import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { frontOf } from './front.ts';
import { gradeOf, intervalOf, measureErrors, shapesOf } from './measure.ts';
import type { TableReport } from './report.ts';

it('takes shapes that levels divide, each once, none too large', () => {
  const base = { m: 3, k: 3, n: 6 };
  expect(shapesOf(base, 1, [48, 96]).map(({ shape }) => Object.values(shape))).toEqual([
    [48, 48, 48],
    [96, 96, 96],
  ]);
  expect(shapesOf(base, 2, [10, 12])).toEqual([{ size: 10, shape: { m: 9, k: 9, n: 36 } }]);
  expect(shapesOf({ m: 6, k: 6, n: 6 }, 3, [96])).toEqual([]);
});

it('measures what levels lose, the same each time', async () => {
  const options = { sizes: [16], inputs: ['uniform'], levels: 2, replicates: 3 };
  const of = (name: string) => measureErrors(findAlgorithm(name), options);
  const winograd = await of('winograd');
  expect(await of('winograd')).toEqual(winograd);
  expect(winograd.map(({ levels }) => levels)).toEqual([1, 2]);
  const [first, second] = winograd.map(({ lostInMean }) => lostInMean);
  expect(first.low).toBeLessThan(first.mean);
  expect(second.mean).toBeGreaterThan(first.mean);
  expect(second.mean).toBeGreaterThan(1);
  // Halves of k are summed separately, so a level of the classical algorithm gains accuracy.
  const [classical] = await of('classical');
  expect(classical.lostInMean.mean).toBeLessThan(first.mean);
});

itWhole('grades', async () => {
  expect([await gradeOf(findAlgorithm('classical')), await gradeOf(findAlgorithm('strassen'))]).toEqual([
    'A',
    'C',
  ]);
});

it("has the interval of Student's t", () => {
  // Student's t for 0.975 and two degrees of freedom is 4.30265.
  const { mean, low, high } = intervalOf([1, 2, 3]);
  expect(mean).toBe(2);
  expect(high - 2).toBeCloseTo(4.30265 / Math.sqrt(3), 4);
  expect(2 - low).toBeCloseTo(high - 2, 12);
});

it('has on the front what nothing beats, equals among them', () => {
  const at = (cost: number, loss: number) => ({ table: {} as TableReport, cost, loss });
  const all = [at(3, 1), at(1, 3), at(2, 3), at(3, 1), at(4, 4)];
  expect(frontOf(all).map(({ cost, loss }) => [cost, loss])).toEqual([
    [1, 3],
    [3, 1],
    [3, 1],
  ]);
});
