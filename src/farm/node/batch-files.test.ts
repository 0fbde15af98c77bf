import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Store } from '../queue.ts';
import { nameOf } from '../stored.ts';
import { type Batch, batchKey } from '../work.ts';
import { addBatch, type BatchRecord, readBatch } from './batch-files.ts';

const files = new Map<string, Uint8Array>();
beforeEach(() => files.clear());
const store: Store = {
  where: 'here',
  read: async (name) => files.get(name),
  async add(name, bytes) {
    if (files.has(name)) return false;
    files.set(name, bytes);
    return true;
  },
  list: async (prefix) => [...files.keys()].filter((name) => name.startsWith(prefix)),
};

const digest = (letter: string) => letter.repeat(64);
const texts = ['kernel=mine;input=uniform;m=1;k=1;n=1', 'kernel=mine;input=uniform;m=2;k=1;n=1'];
const cases = texts.map((text) => ({ case: text }));
const campaign = { cases, unsteady: [] as string[] };
const batch: Batch = { id: digest('a'), places: [0, 1], seconds: 1 };
const machine = digest('b');
const key = await batchKey(batch.id, machine);

const result = (text: string, change: Partial<CaseResult> = {}): CaseResult => ({
  ...{ case: text, kernel: 'mine', algorithm: 'classical', leaf: '', levels: 0, levelsUsed: 0 },
  ...{ fringe: 'pad', tail: 'mask', precision: 'f32', input: 'uniform', m: 1, k: 1, n: 1, seed: 1 },
  ...{
    series: false,
    verdict: 'pass',
    reason: 'It is.',
    replay: 'x',
    checks: [],
    judgingSeconds: Math.random(),
  },
  ...change,
});
const found = (...all: CaseResult[]): BatchRecord => ({
  ...{ seconds: 1, cases: all, skipped: [], said: [], versions: {} },
});
const both = (change: Partial<CaseResult> = {}) => found(result(texts[0], change), result(texts[1]));
const add = (one: BatchRecord, about = campaign) => addBatch(store, batch, machine, about, one);
const read = () => readBatch(store, batch, machine, cases);

/** Overwrites a stored batch with a changed one. */
async function put(change: (value: Record<string, unknown>) => object): Promise<void> {
  await add(both());
  const stored = (await read()) as unknown as Record<string, unknown>;
  files.set(nameOf.batch(key), gzipSync(JSON.stringify({ ...stored, ...change(stored) })));
}

it('are written once and read again, infinite numbers too', async () => {
  expect(await read()).toBeUndefined();
  expect(await add(both({ sinceBaseline: Number.POSITIVE_INFINITY }))).toBeUndefined();
  expect(await read()).toMatchObject({ key, cases: [{ sinceBaseline: 'Infinity' }, {}] });
  expect(files.size).toBe(1);
});

it('are the same where only times differ, and a finding where anything else does', async () => {
  await add(both());
  expect(await add(both())).toBeUndefined();
  expect(await add({ ...found(result(texts[0])), skipped: [texts[1]] })).toBeUndefined();
  expect(files.size).toBe(1);
  expect(await add(both({ verdict: 'fail' }))).toMatchObject({
    ...{ code: 'batches-differ', exitCode: 4 },
    message: expect.stringContaining(`different results: the case ${texts[0]} (pass and fail)`),
  });
  expect(await add(both({ reason: 'It is not.' }))).toMatchObject({
    message: expect.stringContaining('(both pass, with different numbers)'),
  });
  expect([...files.keys()].filter((name) => name.startsWith(`${key}.differs-`)).length).toBe(2);
  expect(await read()).toMatchObject({ cases: [{ verdict: 'pass' }, {}] });
});

it('may differ of kernels that do not claim to repeat their bits, and of what ended workers', async () => {
  await add(both());
  const other = both({ verdict: 'inconclusive' });
  expect(await add(other, { ...campaign, unsteady: ['mine'] })).toBeUndefined();
  expect(await add({ ...other, ended: 3 })).toBeUndefined();
});

it.each<[string, () => Promise<void>, object]>([
  [
    'of a newer schema',
    () => put(() => ({ schema: 'gemm-paranoia/farm-batch/3' })),
    { code: 'newer-stored' },
  ],
  ['of another kind', () => put(() => ({ schema: 'gemm-paranoia/results/3' })), {}],
  [
    'of another key',
    () => put(() => ({ key: digest('c') })),
    { message: expect.stringContaining('its batch or machine does not match its name') },
  ],
  [
    'of another batch',
    () => put(() => ({ batch: digest('c') })),
    { message: expect.stringContaining('its batch or machine does not match its name') },
  ],
  [
    'without a case',
    () => put(({ cases: all }) => ({ cases: (all as unknown[]).slice(1) })),
    { message: expect.stringContaining('do not match its batch') },
  ],
  [
    'with a case twice',
    () => put(({ cases: all }) => ({ cases: [(all as unknown[])[0], (all as unknown[])[0]] })),
    { message: expect.stringContaining('do not match its batch') },
  ],
  [
    'with a verdict that is none',
    () => put(() => ({ cases: [{ ...result(texts[0]), verdict: 'fine' }] })),
    {},
  ],
  [
    'that is cut',
    async () => {
      await add(both());
      files.set(nameOf.batch(key), (files.get(nameOf.batch(key)) as Uint8Array).subarray(0, 100));
    },
    { message: expect.stringContaining('it is truncated or damaged') },
  ],
  [
    'that is rubbish',
    async () => {
      files.set(nameOf.batch(key), new Uint8Array(100));
    },
    { message: expect.stringContaining('it is not compressed by gzip') },
  ],
  [
    'that is empty',
    async () => {
      files.set(nameOf.batch(key), new Uint8Array());
    },
    { message: expect.stringContaining('it is truncated or damaged') },
  ],
] as [string, () => Promise<void>, object][])('one %s is refused', async (_, make, expected) => {
  await make();
  await expect(read()).rejects.toMatchObject({ code: 'bad-stored', exitCode: 2, ...expected });
});
