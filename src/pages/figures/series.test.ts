import { expect, it } from 'vitest';
import { syntheticCase, syntheticResults } from '../../../tests/support/synthetic.ts';
import { figures30And31, publishedIn } from './published.ts';
import { gatherPoints, listCaseFamilies } from './series.ts';
import { races } from './speed.ts';

const place = { algorithm: 'strassen', levels: 1, input: 'uniform', n: 64 };

it('gathers replicates: the mean and range of those that have a logarithm, and how many have none', () => {
  const values = [1, 3, 0, Number.NaN, Number.POSITIVE_INFINITY];
  const cases = values.map((_, seed) => syntheticCase({ ...place, seed }));
  const [point, ...others] = gatherPoints(
    cases,
    ({ algorithm }) => algorithm,
    ({ seed }) => values[seed],
  );
  expect(others).toEqual([]);
  expect(point).toMatchObject({ spread: { mean: 2, min: 1, max: 3 }, zeros: 1, beyond: 2, count: 5, n: 64 });
});

it('gathers similar sizes where there are many', () => {
  const cases = Array.from({ length: 500 }, (_, n) => syntheticCase({ ...place, n: n + 1, seed: 1 }));
  expect(
    gatherPoints(
      cases,
      ({ algorithm }) => algorithm,
      () => 1,
    ),
  ).toHaveLength(10);
});

it('draws the growth series and what a study measured, not the scattered rest', () => {
  const { cases } = syntheticResults();
  expect(listCaseFamilies(cases).map(({ input, ideal }) => [input, ideal])).toEqual([
    ['uniform', false],
    ['inverse-pair', true],
  ]);
});

it('places what was printed by the case that measured it', () => {
  const { study, cases } = syntheticResults();
  const found = publishedIn(study, cases);
  expect(found.map(({ measure, n, figure }) => [measure, n, figure])).toEqual([
    ['maxError', 32, 'Figure 30'],
    ['meanError', 32, 'Figure 31'],
  ]);
  expect(figures30And31()).toHaveLength(2 * (4 + 8 + 6));
});

it('compares times leaf by leaf with the classical algorithm', () => {
  const timed = (algorithm: string, leaf: string, seconds: number) =>
    syntheticCase({ ...place, algorithm, leaf, levels: algorithm === 'classical' ? 0 : 1, seed: 1, seconds });
  const [race] = races([
    timed('classical', 'naive', 8),
    timed('strassen', 'naive', 4),
    timed('classical', 'tiled', 1),
    timed('strassen', 'tiled', 2),
    timed('strassen', 'register', 1),
  ]);
  const trade = race.trades.find(({ algorithm }) => algorithm === 'strassen');
  expect(trade?.speedUp).toBeCloseTo(1, 12);
  expect(trade?.bitsLost).toBeGreaterThan(0);
  expect(races([timed('classical', 'naive', 8)])).toEqual([]);
});
