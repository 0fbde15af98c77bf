import { expect, it } from 'vitest';
import { seeded } from '../../base/random.ts';
import { parseCase } from '../../problem/case.ts';
import {
  campaignOf,
  FAILED,
  foundOf,
  honestly,
  judged,
  ledgerOf,
  machineNamed,
  resultOf,
  textOf,
  wholeTextOf,
} from './gateway.testing.ts';
import type { LedgerOptions } from './ledger.ts';
import { drawnLike } from './planted.ts';
import { MARKS } from './planting.ts';
import type { Leased } from './protocol.ts';

const EACH = 6;

/** A ledger of batches of whole numbers, one case planted in each. */
function planted(more: Partial<LedgerOptions> = {}, text = wholeTextOf) {
  const campaign = campaignOf(4, EACH, text);
  const all = ledgerOf(4, { campaign, planted: 1, random: seeded(1), ...more });
  for (const key of ['a', 'b']) all.ledger.join(key, machineNamed('one'));
  const own = new Set(campaign.cases.map((one) => one.case));
  const lease = async (key = 'a') => (await all.ledger.lease(key)) as Leased;
  const extra = ({ cases }: Leased) => cases.map((one) => one.case).filter((one) => !own.has(one));
  return { ...all, lease, extra };
}

it('believes who finds the planted case to fail, of whole numbers too, and keeps nothing of it', async () => {
  const { ledger, lease, extra } = planted();
  const batch = await lease();
  expect(extra(batch)).toHaveLength(1);
  await ledger.result('a', { ...batch, found: await honestly(batch) });
  const [found] = ledger.believed();
  expect(found.opinions[0].agreed).toBe(1);
  expect(found.opinions[0].found.cases).toHaveLength(EACH);
  expect(found.opinions[0].found.cases.every(({ verdict }) => verdict === 'pass')).toBe(true);
});

it('bans who says that all pass', async () => {
  const { ledger, lease, said } = planted();
  const batch = await lease();
  await ledger.result('a', { ...batch, found: foundOf(batch.cases.map((one) => one.case)) });
  expect(ledger.banned).toEqual(['a']);
  expect(said[0]).toMatch(/it says that kernel=.* passes, which was given to it so that it fails/);
});

it('bans who guesses which one fails, and guesses wrong', async () => {
  const { ledger, lease, extra } = planted();
  const batch = await lease();
  const [other] = batch.cases.filter((one) => !extra(batch).includes(one.case));
  const cases = batch.cases.map(({ case: text }) => resultOf(text, text === other.case ? FAILED : {}));
  await ledger.result('a', { ...batch, found: { ...foundOf([]), cases } });
  expect(ledger.banned).toEqual(['a']);
});

it('has judged again what somebody says of who does not say what the planted case is', async () => {
  const { ledger, lease, extra } = planted();
  const batch = await lease();
  const found = await honestly(batch);
  const isPlanted = (text: string) => extra(batch).includes(text);
  const leftOut = extra(batch);
  const silent = { ...found, cases: found.cases.filter((one) => !isPlanted(one.case)), leftOut };
  await ledger.result('a', { ...batch, found: silent });
  expect([ledger.banned, ledger.believed(), ledger.doubtful]).toEqual([[], [], 1]);
  const again = await lease('b');
  expect(again.batch).toBe(batch.batch);
  expect(extra(again)).not.toEqual(extra(batch));
});

it('says the same words of a batch whether something is planted or not', async () => {
  const [one, other] = [await planted().lease(), await planted({ planted: 0 }).lease()];
  expect([one.cases.length, other.cases.length]).toEqual([EACH + 1, EACH]);
  expect([one.marks.length, other.marks.length]).toEqual([MARKS, MARKS]);
  const shape = ({ cases, marks, ...rest }: Leased) => [
    ...Object.keys(rest),
    ...new Set(cases.map((value) => Object.keys(value).join())),
    ...new Set(cases.map((value) => value.case.replaceAll(/\d+/g, '#'))),
    ...new Set(marks.map((mark) => mark.replaceAll(/[0-9a-f]/g, '#'))),
  ];
  expect(shape(one)).toEqual(shape(other));
});

it('puts the planted case at any place, and its mark at any', async () => {
  const { ledger, lease, extra } = planted();
  const places = new Set<number>();
  for (let times = 0; times < 40; times++) {
    const batch = await lease();
    places.add(batch.cases.findIndex((one) => one.case === extra(batch)[0]));
    ledger.release('a', batch.lease);
  }
  expect(places.size).toBe(EACH + 1);
});

it.each([
  ['of rounded numbers', {}, textOf],
  ['where nobody here can judge', { judge: () => Promise.reject(new Error('no device')) }, wholeTextOf],
  [
    'that this judge does not see fail',
    { judge: async (texts: readonly string[]) => judged(texts) },
    wholeTextOf,
  ],
])('plants nothing %s', async (_, more, text) => {
  const { lease, extra } = planted(more, text);
  const batch = await lease();
  expect([extra(batch), batch.marks.length]).toEqual([[], MARKS]);
});

it('draws words of several cases, and of cubes a cube', () => {
  const random = seeded(2);
  const word = (m: number, k: number, n: number, seed: number) =>
    `kernel=classical:tiled;levels=0;fringe=pad;tail=mask;input=integers;m=${m};k=${k};n=${n};seed=${seed}`;
  const texts = [word(5, 700, 9, 10), word(16, 33, 800, 900_000), word(64, 17, 3, 5)];
  const drawn = Array.from({ length: 50 }, () => parseCase(drawnLike(texts, random) as string));
  expect(new Set(drawn.map(({ problem: { m, k, n } }) => `${m} ${k} ${n}`)).size).toBeGreaterThan(9);
  for (const { problem } of drawn) {
    expect([5, 16, 64]).toContain(problem.m);
    expect([700, 33, 17]).toContain(problem.k);
    expect(problem.seed).toBeLessThanOrEqual(900_000);
  }
  const cubes = [word(8, 8, 8, 1), word(64, 64, 64, 3)];
  for (let times = 0; times < 20; times++) {
    const { m, k, n } = parseCase(drawnLike(cubes, random) as string).problem;
    expect([m === k, k === n]).toEqual([true, true]);
  }
  expect(drawnLike([word(1, 1, 1, 3)], random)).toBeUndefined();
  expect(drawnLike([], random)).toBeUndefined();
});
