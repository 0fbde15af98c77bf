import { expect, test } from 'vitest';
import { checkCase } from '../kernels/check-case.ts';
import { defaultCampaign } from './campaign.ts';
import { fusedSample } from './default-sample.ts';

test('the sample of the default campaign has every style, at most twelve cases, and all can be run', () => {
  const cases = fusedSample(defaultCampaign);
  expect(cases.length).toBeLessThanOrEqual(12);
  expect(new Set(cases.map(({ kernel }) => kernel))).toEqual(
    new Set(['strassen:fused', 'strassen:fused-hybrid', 'strassen:fused-atomic']),
  );
  for (const value of cases) checkCase(value);
});

test('it stays within what a campaign covers', () => {
  const sample = (change: object) => fusedSample({ ...defaultCampaign, ...change });
  expect(sample({ kernels: ['strassen:register'] })).toEqual([]);
  expect(sample({ inputs: ['inverse-pair'] })).toEqual([]);
  expect(sample({ precisions: ['f64'] })).toEqual([]);
  expect(new Set(sample({ levels: [2] }).map(({ method: { levels } }) => levels))).toEqual(new Set([2]));
});
