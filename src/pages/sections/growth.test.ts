import { expect, it } from 'vitest';
import type { GrowthResult } from '../../run/results.ts';
import { growthSentence, growthTable } from './growth.ts';

const fit: GrowthResult = {
  ...{ kernel: 'strassen:register', precision: 'f32', input: 'uniform', measure: 'meanError' },
  ...{ over: 'size', fixed: 1, points: [], slope: 1.02, interval: [0.97, 1.06] },
};

it.each([
  [1, 'strassen ~ n^1.02 (0.97 to 1.06), as expected (1.00); bound 1.99.'],
  [1.5, 'strassen ~ n^1.02 (0.97 to 1.06), slower than expected (1.50); bound 1.99.'],
  [0.5, 'strassen ~ n^1.02 (0.97 to 1.06), faster than expected (0.50); bound 1.99.'],
])('compares the interval with the expected slope: %d', (expected, says) => {
  expect(growthSentence({ ...fit, expected, bound: 1.99 }, 'strassen', 'strassen')).toBe(says);
});

it('says of levels what the growth factor makes of the bound, where the algorithm is known', () => {
  const levels: GrowthResult = { ...fit, over: 'levels', bound: 1.5 };
  expect(growthSentence(levels, 'mine', 'strassen')).toBe(
    'mine ~ 2^(1.02·levels) (0.97 to 1.06), bound 1.50, log2(E/k₀²) = log2(12/4) = 1.58.',
  );
  expect(growthSentence(levels, 'mine', 'my-own')).toBe('mine ~ 2^(1.02·levels) (0.97 to 1.06), bound 1.50.');
});

it('says nothing where nothing was fitted', () => {
  const { slope: _, interval: __, ...none } = fit;
  expect(growthSentence({ ...none, reason: 'one size' }, 'mine', 'strassen')).toBeUndefined();
  expect(growthTable([{ ...none, reason: 'one size' }]).rows[0].at(-1)).toBe('no fit');
});

it('shows theory below a slope', () => {
  const cell = growthTable([{ ...fit, expected: 1, bound: 1.99 }]).rows[0].at(-1);
  expect(cell).toMatchObject({ value: '1.02 (0.97 to 1.06)', under: 'as expected (1.00), bound 1.99' });
});
