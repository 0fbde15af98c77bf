import { expect, it } from 'vitest';
import { makeTestCampaign } from '../campaign.testing.ts';
import { type Batch, halfName } from '../work.ts';
import { batchIndex, listHalves } from './batch-progress.ts';

const BATCHES = 100;
const campaign = makeTestCampaign(BATCHES, 8);
const places = [56, 57, 58, 59, 60, 61, 62, 63];
const { id, seconds } = campaign.batches[7];
const whole: Batch = { id, seconds, places };

it('finds a half of a half by what a queue calls it', async () => {
  const [, second] = await listHalves(campaign, whole);
  const [wanted] = await listHalves(campaign, second);
  const name = halfName(halfName(whole.id, 1), 0);
  expect(name).toBe(`${whole.id}-10`);
  expect(await batchIndex(campaign).find(name)).toEqual(wanted);
  expect(wanted.places).toEqual([60, 61]);
  expect(await batchIndex(campaign).find(whole.id)).toEqual(whole);
});

it('finds nothing where there is no such batch or half', async () => {
  const index = batchIndex(campaign);
  const names = ['', 'f'.repeat(64), `${whole.id}-2`, `${whole.id}-x`, `${whole.id}-0000`];
  for (const name of names) expect(await index.find(name), name).toBeUndefined();
});

it('reads no cases but those of the batch', async () => {
  const read = new Set<number>();
  const cases = new Proxy(campaign.cases, {
    get(target, at) {
      if (typeof at === 'string' && /^\d+$/.test(at)) read.add(Number(at));
      return Reflect.get(target, at);
    },
  });
  const batches = campaign.batches.map((batch) => ({ ...batch }));
  await batchIndex({ ...campaign, cases, batches }).find(`${whole.id}-0`);
  expect([...read]).toEqual(places);
});
