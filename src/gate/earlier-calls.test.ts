import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { TOGETHER } from '../evidence/whole-programs/routine.ts';
import { defaultCampaign } from './campaign.ts';
import { externalCases } from './external-campaign.ts';
import { planCampaign } from './plan-campaign.ts';
import { planUntrustedCases } from './untrusted/untrusted-cases.ts';

const draws = {
  ...{ seed: 1, rounds: 1, extent: { products: 2 ** 12, entries: 2 ** 12 } },
  ...{ largest: 1, sizes: 32, programs: 8, sweeps: 0 },
};
const campaign = { ...defaultCampaign, draws };
const spec = { name: 'mine', multiply: () => new Float32Array(), accepts: 'everything' } as const;
const planned = externalCases(campaign, spec);
const lengths = (cases: ReturnType<typeof externalCases>) =>
  cases.flatMap(({ problem }) => (problem.program > 0 ? [problem.program] : []));

it('has so many cases anywhere in the first part come after programs of about a hundred products', () => {
  const cases = planned.filter(({ drawn }) => drawn === true);
  const places = cases.flatMap(({ problem }, at) => (problem.program > 0 ? [at] : []));
  expect(places.length).toBe(8);
  expect(Math.max(...places)).toBeLessThan(cases.length / 5);
  expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(cases.length / 12);
  expect(Math.min(...lengths(cases))).toBeGreaterThan(90);
  expect(Math.max(...lengths(cases))).toBeLessThan(230);
  expect(new Set(lengths(cases)).size).toBeGreaterThan(4);
});

it('lets them have all routines together', () => {
  const seeds = planned.flatMap(({ problem }) => (problem.program > 0 ? [problem.seed] : []));
  expect(new Set(seeds.map((seed) => Math.floor(seed / TOGETHER))).size).toBe(1);
  expect(new Set(seeds).size).toBe(8);
});

itWhole(
  'has fewer of them where calls cost much, and none where there is no room or nothing but A·B is asked',
  () => {
    const count = (change: object, of = campaign) =>
      lengths(externalCases(of, { ...spec, ...change })).length;
    expect(count({ usesAdapter: true })).toBe(3);
    expect(count({ precision: 'f16-f32' })).toBe(0);
    expect(count({}, { ...campaign, plain: true })).toBe(0);
  },
);

itWhole('asks kernels of ours for none', () => {
  const own = planCampaign({ ...campaign, kernels: ['strassen:register'] });
  expect(own.length).toBeGreaterThan(10);
  expect(own.every(({ problem }) => problem.program === 0)).toBe(true);
});

it('asks two of them soon of a kernel that is not trusted, and each once', () => {
  const cases = planUntrustedCases(planned, 12_345);
  const places = cases.flatMap(({ problem }, at) => (problem.program > 0 ? [at] : []));
  expect(places[1]).toBeLessThan(80);
  expect(lengths(cases).sort()).toEqual(lengths(planned).sort());
});
