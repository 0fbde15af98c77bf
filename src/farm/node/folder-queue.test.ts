import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import type { Lease, Queue } from '../queue.ts';
import { folderQueue } from './folder-queue.ts';

let store: string;
let workers: Queue[];
beforeEach(async () => {
  store = mkdtempSync(join(tmpdir(), 'queue-'));
  workers = [folderQueue(store, 60), folderQueue(store, 60)];
  await workers[0].offer(CAMPAIGN, ['one', 'two', 'three']);
});
afterEach(() => rmSync(store, { recursive: true }));

const CAMPAIGN = 'c'.repeat(64);
const NOTHING = { pass: 0, fail: 0, inconclusive: 0 };

/** Ages a lease, as if it had not been renewed for an hour. */
function late(batch: string): void {
  const folder = join(store, readdirSync(store)[0]);
  const then = new Date(Date.now() - 3600 * 1000);
  utimesSync(join(folder, `${batch}.lease`), then, then);
}

itWhole('hands each batch to one worker, until it is done', async () => {
  const leases = await Promise.all([0, 1, 0].map((at) => workers[at].take(CAMPAIGN)));
  expect(leases.map((lease) => lease?.batch).toSorted()).toEqual(['one', 'three', 'two']);
  expect(await workers[1].take(CAMPAIGN)).toBeUndefined();
  expect(await workers[1].state(CAMPAIGN)).toMatchObject({ waiting: 0, active: 3, done: 0, workers: 2 });
  for (const lease of leases) await lease?.done(NOTHING);
  expect(await workers[0].take(CAMPAIGN)).toBeUndefined();
  const idle = { active: 0, oldest: undefined };
  expect(await workers[0].state(CAMPAIGN)).toMatchObject({ waiting: 0, done: 3, ...idle });
  // Results of this batch were removed from the store.
  await workers[1].offer(CAMPAIGN, ['one']);
  expect(await workers[0].state(CAMPAIGN)).toMatchObject({ waiting: 1, done: 2, ...idle });
  expect((await workers[0].take(CAMPAIGN))?.batch).toBe('one');
});

it('gives back what a worker lets go of, and counts what ended one', async () => {
  const [queue] = workers;
  const rest = [await queue.take(CAMPAIGN), await queue.take(CAMPAIGN)];
  for (const lease of rest) await lease?.done(NOTHING);
  const last = (await queue.take(CAMPAIGN)) as Lease;
  await last.release();
  const again = (await queue.take(CAMPAIGN)) as Lease;
  expect(again).toMatchObject({ batch: last.batch, ended: 0 });
  await again.died();
  expect(await queue.take(CAMPAIGN)).toMatchObject({ batch: last.batch, ended: 1 });
});

it('takes a lease away that is not renewed, and never one that is', async () => {
  const [one, other] = workers;
  const held = [
    (await one.take(CAMPAIGN)) as Lease,
    (await one.take(CAMPAIGN)) as Lease,
    (await one.take(CAMPAIGN)) as Lease,
  ];
  for (const { batch } of held) late(batch);
  expect(await held[0].renew()).toBe(true);
  const taken = [await other.take(CAMPAIGN), await other.take(CAMPAIGN), await other.take(CAMPAIGN)];
  expect(taken.flatMap((lease) => lease?.batch ?? []).toSorted()).toEqual(
    [held[1].batch, held[2].batch].toSorted(),
  );
  expect(taken[0]).toMatchObject({ ended: 1 });
  expect(await held[1].renew()).toBe(false);
  // The lost lease is no longer its own to release.
  await held[1].release();
  expect(await other.state(CAMPAIGN)).toMatchObject({ waiting: 0, active: 3 });
});
