import { expect, it } from 'vitest';
import { makeTestCampaign, memoryQueue } from '../campaign.testing.ts';
import type { Store } from '../queue.ts';
import { createEndTest } from './supervise.ts';

const campaign = makeTestCampaign(2);

/** A waiting worker, and the number of times it has listed its empty store. */
function waiting(isFed: boolean, isWithdrawn = false) {
  let [lists, time] = [0, 0];
  const store: Store = {
    ...{ where: 'here', read: async () => undefined, add: async () => true },
    async list() {
      lists++;
      return [];
    },
  };
  const queue = { ...memoryQueue(campaign), isFed, isWithdrawn: async () => isWithdrawn };
  const isOver = createEndTest({ store, queue, campaign, now: () => time });
  return {
    async looksUntil(seconds: number): Promise<{ over: boolean; lists: number }> {
      let over = false;
      for (; time <= 1000 * seconds && !over; time += 500) over = await isOver();
      return { over, lists };
    },
  };
}

it('asks a queue that is fed, and the store once a minute in case nobody feeds it any more', async () => {
  expect(await waiting(true).looksUntil(59)).toEqual({ over: false, lists: 0 });
  const { lists } = await waiting(true).looksUntil(61);
  expect(lists).toBe(1);
});

it('goes at once when the campaign is withdrawn', async () => {
  expect(await waiting(true, true).looksUntil(10)).toEqual({ over: true, lists: 0 });
});

it('asks the store where no queue knows', async () => {
  expect((await waiting(false).looksUntil(3)).lists).toBe(2);
});
