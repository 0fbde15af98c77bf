import { expect, it } from 'vitest';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import {
  type Batch,
  batchId,
  batchKey,
  cutIntoBatches,
  dealToShards,
  halvesOf,
  type KernelSpeed,
  type WorkFacts,
} from './work.ts';

const about: WorkFacts = { sources: 'a', thresholds: { sigmas: 6, drift: 2 }, seed: 1, budget: 60 };
const cases = Array.from({ length: 9 }, (_, at) => ({ case: `case ${at}` }));
const places = [0, 2, 4, 5, 8];

it('follow from all that decides results, and from nothing else', async () => {
  const id = await batchId(about, cases, { places });
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  const moved = [...cases.slice(1), cases[0]];
  expect(await batchId(about, moved, { places: places.map((at) => (at + 8) % 9) })).toBe(id);
  const others = await Promise.all([
    batchId({ ...about, sources: 'b' }, cases, { places }),
    batchId({ ...about, thresholds: { sigmas: 7, drift: 2 } }, cases, { places }),
    batchId({ ...about, thresholds: { sigmas: 6, drift: 3 } }, cases, { places }),
    batchId({ ...about, budget: undefined }, cases, { places }),
    batchId(about, cases, { places: places.slice(1) }),
    batchId(about, cases.with(2, { ...cases[2], series: true } as never), { places }),
    batchId(about, cases.with(2, { ...cases[2], after: ['x'] } as never), { places }),
    batchId(about, cases, { inspect: { kernel: 'mine', precision: 'f32' } }),
  ]);
  expect(new Set([id, ...others]).size).toBe(9);
  expect(await batchKey(id, 'one')).not.toBe(await batchKey(id, 'other'));
});

it('are halved down to single cases, the same for everybody', async () => {
  const whole: Batch = { id: await batchId(about, cases, { places }), places, seconds: 10 };
  const [one, other] = await halvesOf(whole, about, cases);
  expect([one.places, other.places]).toEqual([
    [0, 2, 4],
    [5, 8],
  ]);
  expect(one.seconds + other.seconds).toBe(10);
  expect(one.id).toBe(await batchId(about, cases, { places: [0, 2, 4] }));
  const [, single] = await halvesOf(other, about, cases);
  expect(await halvesOf(single, about, cases)).toEqual([]);
  const inspection: Batch = { id: 'x', seconds: 1, inspect: { kernel: 'mine', precision: 'f32' } };
  expect(await halvesOf(inspection, about, cases)).toEqual([]);
});

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
