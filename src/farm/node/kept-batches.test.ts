import { expect, it } from 'vitest';
import type { CaseResult } from '../../evidence/case-result.ts';
import { parseCase } from '../../problem/case.ts';
import { Spending } from '../../run/spending.ts';
import type { Store } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import { addBatch } from './batch-files.ts';
import { openKeptBatches } from './kept-batches.ts';

const files = new Map<string, Uint8Array>();
const store: Store = {
  where: 'here',
  read: async (name) => files.get(name),
  add: async (name, bytes) => files.size < files.set(name, bytes).size,
  list: async () => [...files.keys()],
};

const texts = [1, 2, 3].map((m) => `kernel=mine;input=uniform;m=${m};k=1;n=1`);
const campaign = {
  cases: texts.map((text) => ({ case: text })),
  unsteady: [] as string[],
} as Partial<StoredCampaign>;
const [before, open]: Batch[] = [
  { id: 'a'.repeat(64), places: [0, 1], seconds: 1 },
  { id: 'b'.repeat(64), places: [2], seconds: 1 },
];
const machine = 'c'.repeat(64);
const resultOf = (text: string): CaseResult => ({
  ...{ case: text, kernel: 'mine', algorithm: 'classical', leaf: '', levels: 0, levelsUsed: 0 },
  ...{ fringe: 'pad', tail: 'mask', precision: 'f32', input: 'uniform', m: 1, k: 1, n: 1, seed: 1 },
  ...{ series: false, verdict: 'pass', reason: 'It is.', replay: 'x', checks: [], judgingSeconds: 4 },
});

it('what cases took before a run was resumed is spent', async () => {
  const about = campaign as StoredCampaign;
  const found = { seconds: 8, cases: texts.slice(0, 2).map(resultOf), skipped: [], said: [], versions: {} };
  await addBatch(store, before, machine, about, found);
  const run = { said: [], versions: async () => ({}) } as unknown as Parameters<
    typeof openKeptBatches
  >[0]['run'];
  const onLost = (error: Error) => expect.unreachable(error.message);
  const kept = openKeptBatches({
    store,
    campaign: about,
    machine,
    run,
    batches: [before, open],
    say: () => {},
    onLost,
  });
  const [budget, anew] = [new Spending(10), new Spending(10)];
  const told: number[] = [];
  const judged = kept.judging(async (cases, tell, left) => {
    expect(cases.length).toBe(1);
    expect(anew.state('mine').left - left.state('mine').left).toBe(8);
    tell(0, resultOf(texts[2]));
    return false;
  });
  const planned = texts.map((text) => ({ ...parseCase(text), series: false }));
  await judged(planned, (at) => told.push(at), budget);
  expect(told).toEqual([0, 1, 2]);
});
