import { expect, it } from 'vitest';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { cutIntoBatches, dealToShards, type KernelSpeed } from './cut.ts';

const campaign = planCampaign(defaultCampaign);
const cutAt = (speed: KernelSpeed, cases = campaign) => cutIntoBatches(cases, () => speed);

it('batches have each case once, in order, and of one kernel', () => {
  const batches = cutAt({ overhead: 0.03, rate: 5e8 });
  expect(batches.flatMap(({ places }) => places).toSorted((x, y) => x - y)).toEqual([...campaign.keys()]);
  for (const { places } of batches) {
    expect(places).toEqual(places.toSorted((x, y) => x - y));
    expect(new Set(places.map((at) => campaign[at].kernel)).size).toBe(1);
  }
});

it('batches of a long campaign take 40 s at most, but for a case that takes longer, and of a short one a 64th', () => {
  const slow = cutAt({ overhead: 10, rate: 1e9 });
  for (const { places, seconds } of slow) if (places.length > 1) expect(seconds).toBeLessThanOrEqual(40);
  expect(slow.some(({ places }) => places.length === 3)).toBe(true);
  const one = campaign.filter(({ kernel }) => kernel === campaign[0].kernel);
  const many = Array.from({ length: 100 }, () => one).flat();
  const fast = cutAt({ overhead: 0.1, rate: 1e12 }, many);
  const total = fast.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const { seconds } of fast) expect(seconds).toBeLessThanOrEqual(Math.max(0.5, total / 64) + 0.1);
});

it('shards have every batch between them, and about the same to do', () => {
  const batches = cutAt({ overhead: 0.03, rate: 5e8 });
  const shards = dealToShards(batches, 8);
  const loads = Array.from({ length: 8 }, (_, at) =>
    batches.reduce((sum, { seconds }, batch) => sum + (shards[batch] === at + 1 ? seconds : 0), 0),
  );
  const longest = Math.max(...batches.map(({ seconds }) => seconds));
  expect(new Set(shards)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(longest);
});
