import { expect, test } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { checkCase } from '../kernels/check-case.ts';
import { defaultCampaign } from './campaign.ts';
import { algorithmSample } from './default-sample.ts';

test('every algorithm that the default campaign leaves out is met in every style, on few cases', () => {
  const cases = algorithmSample(defaultCampaign);
  const others = algorithms.map(({ name }) => name).filter((name) => !defaultCampaign.kernels.includes(name));
  const leaves = ['register', 'wide', 'fused', 'fused-hybrid', 'fused-atomic'];
  expect(new Set(cases.map(({ kernel }) => kernel))).toEqual(
    new Set(others.flatMap((name) => leaves.map((leaf) => `${name}:${leaf}`))),
  );
  expect(new Set(cases.map(({ problem: { input } }) => input))).toEqual(new Set(['integers', 'uniform']));
  expect(cases.length).toBeLessThanOrEqual(12 * others.length);
  for (const value of cases) checkCase(value);
});

test('it stays within what a campaign covers', () => {
  const sample = (change: object) => algorithmSample({ ...defaultCampaign, ...change });
  expect(sample({ kernels: ['strassen'] })).toEqual([]);
  expect(sample({ inputs: ['inverse-pair'] })).toEqual([]);
  expect(sample({ precisions: ['f64'] })).toEqual([]);
  expect(new Set(sample({ levels: [2] }).map(({ method: { levels } }) => levels))).toEqual(new Set([2]));
});
