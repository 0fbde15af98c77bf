import { expect, it } from 'vitest';
import { syntheticCase } from '../../../tests/support/synthetic.ts';
import type { GrowthResult } from '../../run/results.ts';
import { growthLines } from './growth-lines.ts';

const fit: GrowthResult = {
  ...{ kernel: 'strassen:register', precision: 'f32', input: 'uniform', measure: 'meanError' },
  ...{ over: 'size', fixed: 1, slope: 1, interval: [0.9, 1.1] },
  points: [32, 64, 128].map((n) => ({ x: n, error: 2e-7 * n })),
};
const place = { kernel: 'strassen:register', algorithm: 'strassen', leaf: 'register' };
const family = {
  ...{ input: 'uniform', precision: 'f32' },
  cases: [syntheticCase({ ...place, input: 'uniform', levels: 1, n: 32, seed: 1 })],
};
const asked = { measure: 'meanError', over: 'size', fixed: 1 } as const;

it('draws a fit through its points, from the first to the last', () => {
  const { lines, sentences } = growthLines([fit], family, () => 'strassen', asked);
  const [[x0, y0], [x1, y1]] = lines[0].points;
  expect([x0, x1]).toEqual([32, 128]);
  expect(y0 / (2e-7 * 32)).toBeCloseTo(1, 10);
  expect(y1 / (2e-7 * 128)).toBeCloseTo(1, 10);
  expect(sentences).toEqual(['strassen:register ~ n^1.00 (0.90 to 1.10).']);
});

it.each([
  ['another input', { ...fit, input: 'normal' }],
  ['another number of levels', { ...fit, fixed: 2 }],
  ['the other measure', { ...fit, measure: 'maxError' as const }],
  ['no points', { ...fit, points: [] }],
  ['one size alone', { ...fit, points: [32, 32].map((x) => ({ x, error: 1e-6 })) }],
  ['errors of zero', { ...fit, points: fit.points.map(({ x }) => ({ x, error: 0 })) }],
  ['a kernel that is not shown', { ...fit, kernel: 'winograd:register' }],
])('draws no fit of %s', (_, other) => {
  expect(growthLines([other], family, () => 'strassen', asked)).toEqual({ lines: [], sentences: [] });
});
