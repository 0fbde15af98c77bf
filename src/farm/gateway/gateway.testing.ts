import { sha256 } from '../../base/sha256.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Lease, Queue } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import { Ledger, type LedgerOptions, type StrangersMachine } from './ledger.ts';
import type { Marking } from './marks.ts';
import type { Found, Leased } from './protocol.ts';

const ID = 'c'.repeat(64);
export const batchIdOf = (at: number): string => `${at}`.padStart(64, '0');
export const textOf = (at: number): string =>
  `kernel=classical:tiled;levels=0;fringe=pad;tail=mask;input=uniform;m=8;k=8;n=8;seed=${at}`;

/** The same of whole numbers, whose errors anybody knows. */
export const wholeTextOf = (at: number): string => textOf(at).replace('input=uniform', 'input=integers');

/** A campaign of batches of so many cases each. */
export function campaignOf(batches: number, each = 4, text = textOf): StoredCampaign {
  const cases = Array.from({ length: batches * each }, (_, at) => ({ case: text(at) }));
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
    ...{
      input: text.includes('input=integers') ? 'integers' : 'uniform',
      m: 8,
      k: 8,
      n: 8,
      seed,
      algorithm: 'classical',
      leaf: 'tiled',
      levelsUsed: 0,
    },
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

/** What stands for the mark of the product of a case: it follows from its text, and nobody who is not told this knows it. */
export const markOfText = (text: string): Promise<string> => sha256(`the product of ${text}`);

/** What a judge that computes says of cases under marks. */
export async function judged(texts: readonly string[], marking?: Marking): Promise<CaseResult[]> {
  const marks = await Promise.all(texts.map(markOfText));
  for (const mark of marks) marking?.onMark?.(mark);
  return texts.map((text, at) => resultOf(text, marking?.marks.has(marks[at]) === true ? FAILED : {}));
}

/** What an honest worker finds of a batch. */
export const honestly = async ({ cases, marks }: Pick<Leased, 'cases' | 'marks'>): Promise<Found> => ({
  ...foundOf([]),
  cases: await judged(
    cases.map(({ case: text }) => text),
    { marks: new Set(marks) },
  ),
});

/** A ledger whose judge is honest, and its queue; no batch is drawn to be judged twice, and in none is anything planted. */
export function ledgerOf(batches: number, more: Partial<LedgerOptions> = {}, each = 4) {
  const campaign = more.campaign ?? campaignOf(batches, each);
  const memory = memoryQueue(campaign);
  const said: string[] = [];
  const ledger = new Ledger({
    ...{ campaign, queue: memory.queue, spots: 1, planted: 0, again: 0, leaseSeconds: 60 },
    find: async (id) => (campaign.batches as Batch[]).find((batch) => batch.id === id),
    judge: judged,
    random: { uniform01: () => 0.5 },
    now: () => 0,
    say: (sentence) => void said.push(sentence),
    ...more,
  });
  return { ledger, campaign, said, ...memory };
}
