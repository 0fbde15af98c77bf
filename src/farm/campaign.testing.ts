import type { Queue } from './queue.ts';
import type { StoredCampaign } from './stored.ts';

const ID = 'c'.repeat(64);
const batchIdOf = (at: number): string => `${at}`.padStart(64, '0');
const textOf = (at: number): string =>
  `kernel=classical:tiled;levels=0;fringe=pad;tail=mask;input=uniform;m=8;k=8;n=8;seed=${at}`;

/** Makes a campaign of a given number of batches, each with so many cases. */
export function makeTestCampaign(batches: number, each = 4): StoredCampaign {
  const cases = Array.from({ length: batches * each }, (_, at) => ({ case: textOf(at) }));
  const all = Array.from({ length: batches }, (_, b) => ({
    ...{ id: batchIdOf(b), seconds: 1, places: Array.from({ length: each }, (_, at) => b * each + at) },
  }));
  return {
    ...{ schema: 'gemm-paranoia/farm-campaign/1', id: ID, createdAt: '', version: '0', command: '', seed: 1 },
    ...{ sources: ID, files: [], thresholds: { sigmas: 6, drift: 2 }, whole: true, cases, batches: all },
    ...{ unsteady: [], waivers: [], notes: [], thin: [], replay: { before: '', behind: '' } },
  };
}

/** Returns a queue that hands out the batches of a campaign. */
export function memoryQueue(campaign: StoredCampaign): Queue {
  const waiting = campaign.batches.map(({ id }) => id);
  const nothing = async () => {};
  return {
    ...{ where: 'memory', isFed: true, announce: nothing, announced: async () => [], offer: nothing },
    ...{ close: nothing, withdraw: nothing, isWithdrawn: async () => false },
    async take() {
      const batch = waiting.shift();
      if (batch === undefined) return undefined;
      return { batch, ended: 0, renew: async () => true, died: nothing, done: nothing, release: nothing };
    },
    state: async () => ({ waiting: 0, active: 0, done: 0, workers: undefined, oldest: undefined }),
  };
}
