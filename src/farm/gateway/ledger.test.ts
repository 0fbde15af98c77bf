import { expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { FAILED, foundOf, ledgerOf, machineNamed } from './gateway.testing.ts';
import type { Ledger } from './ledger.ts';
import type { Leased } from './protocol.ts';

const leased = async (ledger: Ledger, key: string) => (await ledger.lease(key)) as Leased;
const textsOf = ({ cases }: Leased) => cases.map(({ case: text }) => text);

/** Has a worker judge its next batch. */
async function give(ledger: Ledger, key: string, more: Parameters<typeof foundOf>[1] = {}) {
  const batch = await leased(ledger, key);
  await ledger.result(key, { ...batch, found: foundOf(textsOf(batch), more) });
  return batch;
}

function joined(...args: Parameters<typeof ledgerOf>) {
  const all = ledgerOf(...args);
  for (const key of ['a', 'b']) all.ledger.join(key, machineNamed('one'));
  all.ledger.join('other', machineNamed('two'));
  return all;
}

it('believes a batch that passes, of which a drawn case has the same numbers here', async () => {
  const { ledger } = joined(1);
  await give(ledger, 'a');
  expect(ledger.believed()).toHaveLength(1);
  expect(await ledger.lease('b')).toEqual({ wait: 2 });
});

it('bans who invents numbers, and asks all that it gave anew', async () => {
  const { ledger, said } = joined(2);
  await give(ledger, 'a');
  await give(ledger, 'a', { exact: { ...foundOf(['seed=77']).cases[0].exact } as never });
  expect(ledger.banned).toEqual(['a']);
  expect(said[0]).toMatch(/believes nothing of the key a any more.*1 of its batches/s);
  expect(ledger.believed()).toEqual([]);
  await expect(ledger.lease('a')).rejects.toMatchObject({ code: 'banned-worker' });
  const again = [await give(ledger, 'b'), await give(ledger, 'b')];
  expect(new Set(again.map(({ batch }) => batch)).size).toBe(2);
  expect(ledger.believed()).toHaveLength(2);
});

it('has a second key on the same machine judge what failed', async () => {
  const { ledger } = joined(1);
  const first = await give(ledger, 'a', FAILED);
  expect(ledger.believed()).toEqual([]);
  expect(ledger.doubtful).toBe(1);
  for (const key of ['a', 'other']) expect(await ledger.lease(key)).toEqual({ wait: 2 });
  const second = await give(ledger, 'b', FAILED);
  expect(second.batch).toBe(first.batch);
  const [found] = ledger.believed();
  expect(ledger.disagreement(found)).toBeUndefined();
});

it('tells of two that disagree, and takes the middle of nothing', async () => {
  const { ledger } = joined(1);
  await give(ledger, 'a', FAILED);
  await give(ledger, 'b');
  const [found] = ledger.believed();
  expect(found.opinions).toHaveLength(2);
  expect(ledger.disagreement(found)?.message).toMatch(/on one disagree .* \(fail and pass\)/);
});

it('has judged twice what is drawn, and what says to have no bits that can be compared', async () => {
  const drawn = joined(1, { again: 1 });
  await give(drawn.ledger, 'a');
  expect(drawn.ledger.doubtful).toBe(1);
  const dumb = joined(1);
  await give(dumb.ledger, 'a', { mirrorEqual: false });
  expect(dumb.ledger.doubtful).toBe(1);
});

it('leases what ran out to another one, whose result counts', async () => {
  let now = 0;
  const { ledger } = joined(1, { now: () => now });
  const first = await leased(ledger, 'a');
  now = 61_000;
  await ledger.sweep();
  const second = await give(ledger, 'b');
  expect(second.batch).toBe(first.batch);
  const late = { ...first, found: foundOf(textsOf(first)) };
  await expect(ledger.result('a', late)).rejects.toMatchObject({ code: 'no-lease' });
  expect(ledger.believed()).toHaveLength(1);
});

itWhole('catches invented cases as often as it says', async () => {
  let [at, caught] = [0, 0];
  const TRIES = 200;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // Of eight cases two are invented, of which one drawn case shows a quarter.
    const { ledger } = joined(1, { random: { uniform01: () => (at++ * 0.6180339887) % 1 } }, 8);
    const batch = await leased(ledger, 'a');
    const found = foundOf(textsOf(batch));
    const cases = found.cases.map((one, place) =>
      place < 2 ? { ...one, exact: { ...foundOf(['seed=99']).cases[0].exact } } : one,
    );
    await ledger.result('a', { ...batch, found: { ...found, cases: cases as never } });
    caught += ledger.banned.length;
  }
  expect(caught / TRIES).toBeGreaterThan(0.2);
  expect(caught / TRIES).toBeLessThan(0.3);
});

it.each([
  [
    'the cases of another batch',
    (found: ReturnType<typeof foundOf>) => ({
      ...found,
      cases: foundOf(['kernel=classical:tiled;input=uniform;m=8;k=8;n=8;seed=500']).cases,
    }),
  ],
  [
    'a case twice',
    (found: ReturnType<typeof foundOf>) => ({ ...found, cases: [...found.cases.slice(1), found.cases[1]] }),
  ],
  [
    'a pass of which a check fails',
    ({ cases: [one, ...cases], ...found }: ReturnType<typeof foundOf>) => ({
      ...found,
      cases: [{ ...one, checks: FAILED.checks ?? [] }, ...cases],
    }),
  ],
  [
    'fields of another case',
    ({ cases: [one, ...cases], ...found }: ReturnType<typeof foundOf>) => ({
      ...found,
      cases: [{ ...one, m: 9 }, ...cases],
    }),
  ],
])('does not take %s', async (_, change) => {
  const { ledger } = joined(1);
  const batch = await leased(ledger, 'a');
  const found = change(foundOf(textsOf(batch)));
  await expect(ledger.result('a', { ...batch, found })).rejects.toMatchObject({ code: 'bad-message' });
  expect(ledger.believed()).toEqual([]);
});

it('gives what is not believed back to the queue', async () => {
  const { ledger, released } = joined(2);
  await leased(ledger, 'a');
  await ledger.close();
  expect(released).toHaveLength(1);
});
