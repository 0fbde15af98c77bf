import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { simulate } from '../../lab/farm-simulation/simulate.ts';
import { redisQueue } from '../../src/farm/node/redis-queue.ts';
import { installed, startBroker } from '../farm/commands.ts';
import { itWith } from '../support/needs.ts';

/** A simulation of many machines on one broker. */
const it = itWith('redis-server');
const program = installed('redis-server') ?? installed('valkey-server');
const CASES = 2000;

it('twenty machines tell of each case once, some ended, and the broker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farm-simulation-'));
  const mishaps = ['stalls', 'dies', 'judgeEnds'] as const;
  const asked = { program: program as string, folder, machines: 20, cases: CASES, mishaps };
  const { told, verdict, tally } = await simulate({ ...asked, compression: 20, lease: 60 });
  rmSync(folder, { recursive: true });
  expect(told).toEqual({ once: CASES, never: 0, more: 0, differ: 0 });
  expect([verdict.verdict, verdict.cases]).toEqual(['pass', CASES]);
  for (const mishap of mishaps) expect(tally[mishap]).toBeGreaterThan(0);
});

it('a worker whose first batch is asked for as the broker goes gets it later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farm-broker-'));
  const broker = await startBroker(program as string, folder);
  const queue = await redisQueue('--queue', broker.url, { leaseSeconds: 4, say: () => {} });
  const campaign = 'c'.repeat(64);
  await broker.kill();
  const early = queue.take(campaign);
  await broker.restart();
  await queue.offer(campaign, ['b'.repeat(64)]);
  let lease = await early;
  while (lease === undefined) lease = await queue.take(campaign);
  expect(lease.batch).toBe('b'.repeat(64));
  expect(await queue.isWithdrawn(campaign)).toBe(false);
  await queue.withdraw(campaign);
  expect(await queue.isWithdrawn(campaign)).toBe(true);
  expect(await queue.state(campaign)).toMatchObject({ waiting: 0, active: 0, done: 0 });
  await queue.close();
  await broker.kill();
  rmSync(folder, { recursive: true });
});
