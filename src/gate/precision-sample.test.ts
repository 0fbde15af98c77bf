import { expect, test } from 'vitest';
import { checkCase } from '../kernels/check-case.ts';
import { isSampled, precisions } from '../precision/precisions.ts';
import { defaultCampaign } from './campaign.ts';
import { precisionSample } from './default-sample.ts';

/** Precisions whose shaders have their own number format. */
const sampled = precisions.items.filter(isSampled).map(({ name }) => name);

test('the sample of the default campaign has eight cases in each precision but binary32, and all can be run', () => {
  const cases = precisionSample(defaultCampaign);
  const counts = sampled.map(
    (name) => cases.filter(({ problem: { precision } }) => precision === name).length,
  );
  expect(counts).toEqual(sampled.map((name) => (name === 'f32' ? 0 : 8)));
  for (const value of cases) checkCase(value);
});

test('it stays within what a campaign covers', () => {
  const sample = (change: object) => precisionSample({ ...defaultCampaign, ...change });
  expect(sample({ kernels: ['winograd'] })).toEqual([]);
  expect(sample({ inputs: ['inverse-pair'] })).toEqual([]);
  expect(new Set(sample({ levels: [1, 2] }).map(({ method: { levels } }) => levels))).toEqual(new Set([1]));
  expect(new Set(sample({ kernels: ['strassen'] }).map(({ kernel }) => kernel))).toEqual(
    new Set(['strassen:register']),
  );
});
