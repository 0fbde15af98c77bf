import type { CaseResult } from '../../evidence/case-result.ts';
import type { Lease, Queue } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import { Ledger, type LedgerOptions, type StrangersMachine } from './ledger.ts';
import type { Found } from './protocol.ts';

const ID = 'c'.repeat(64);
export const batchIdOf = (at: number): string => `${at}`.padStart(64, '0');
export const textOf = (at: number): string =>
  `kernel=classical:tiled;levels=0;fringe=pad;tail=mask;input=uniform;m=8;k=8;n=8;seed=${at}`;

/** A campaign of batches of so many cases each. */
export function campaignOf(batches: number, each = 4): StoredCampaign {
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

/** A queue in memory, and what became of its leases. */
export function memoryQueue(campaign: StoredCampaign) {
  const waiting = campaign.batches.map(({ id }) => id);
  const [done, released]: [string[], string[]] = [[], []];
  const lease = (batch: string): Lease => ({
    ...{ batch, ended: 0, renew: async () => true, died: async () => {} },
    done: async () => void done.push(batch),
    release: async () => void released.push(batch),
  });
  const queue: Queue = {
    ...{ where: 'memory', isFed: true, announce: async () => {}, announced: async () => [] },
    ...{
      offer: async () => {},
      close: async () => {},
      withdraw: async () => {},
      isWithdrawn: async () => false,
    },
    async take() {
      const next = waiting.shift();
      return next === undefined ? undefined : lease(next);
    },
    state: async () => ({ waiting: 0, active: 0, done: 0, workers: undefined, oldest: undefined }),
  };
  return { queue, done, released };
}

/** What an honest worker says of a case: numbers that follow from it. */
export function resultOf(text: string, more: Partial<CaseResult> = {}): CaseResult {
  const seed = Number(/seed=(\d+)/.exec(text)?.[1]);
  const error = (seed + 1) * 1e-7;
  const measures = {
    ...{ maxError: error, meanError: error / 2, normalisedMax: error, normalisedMean: error / 2 },
    ...{ componentwise: 1, normwise: 1, frobenius: 1, bits: 23, unequal: 64, disagreements: 0 },
  };
  return {
    ...{ case: text, kernel: 'classical:tiled', levels: 0, fringe: 'pad', tail: 'mask', precision: 'f32' },
    ...{ input: 'uniform', m: 8, k: 8, n: 8, seed, algorithm: 'classical', leaf: 'tiled', levelsUsed: 0 },
    ...{
      series: false,
      verdict: 'pass',
      reason: 'It holds.',
      replay: '',
      exact: measures,
      mirrorEqual: true,
    },
    checks: [{ name: 'running-bound', status: 'pass', message: 'It holds.' }],
    ...more,
  };
}

export const foundOf = (texts: readonly string[], more: Partial<CaseResult> = {}): Found => ({
  ...{ seconds: 1, leftOut: [], said: [], versions: {} },
  cases: texts.map((text) => resultOf(text, more)),
});

/** A failure, which no mirror repeats. */
export const FAILED: Partial<CaseResult> = {
  ...{ verdict: 'fail', mirrorEqual: false },
  checks: [{ name: 'running-bound', status: 'fail', message: 'It does not.' }],
};

export const machineNamed = (name: string): StrangersMachine => ({
  name,
  machine: {
    adapter: {
      ...{ id: name, kind: 'hardware', name, vendor: '', architecture: '', device: '', driver: '' },
      ...{ backend: '', dawn: '', features: [], toggles: [], chosenBecause: 'it is simulated' },
    },
    arithmetic: {},
  },
});

/** A ledger whose judge is honest, and its queue; no batch is drawn to be judged twice. */
export function ledgerOf(batches: number, more: Partial<LedgerOptions> = {}, each = 4) {
  const campaign = campaignOf(batches, each);
  const memory = memoryQueue(campaign);
  const said: string[] = [];
  const ledger = new Ledger({
    ...{ campaign, queue: memory.queue, spots: 1, again: 0, leaseSeconds: 60 },
    find: async (id) => (campaign.batches as Batch[]).find((batch) => batch.id === id),
    judge: async (texts) => texts.map((text) => resultOf(text)),
    random: { uniform01: () => 0.5 },
    now: () => 0,
    say: (sentence) => void said.push(sentence),
    ...more,
  });
  return { ledger, campaign, said, ...memory };
}
