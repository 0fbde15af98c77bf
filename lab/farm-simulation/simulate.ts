import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { machinesOf, readBatch } from '../../src/farm/node/batch-files.ts';
import { listHalves } from '../../src/farm/node/batch-progress.ts';
import { announce, feed } from '../../src/farm/node/feed.ts';
import { folderStore } from '../../src/farm/node/open-store.ts';
import { redisQueue } from '../../src/farm/node/redis-queue.ts';
import type { Batch } from '../../src/farm/work.ts';
import { startBroker } from '../../tests/farm/commands.ts';
import { casesOf, MEAN_SECONDS, submitCampaign } from './campaign.ts';
import { chanceOf, type MachineTally, type Mishap, noTally, simulateMachine, type World } from './machine.ts';
import type { SimulationVerdict } from './verdict.ts';

/** A farm to simulate. */
export interface FarmSpec {
  /** The path of redis-server or valkey-server. */
  readonly program: string;
  /** An empty folder. */
  readonly folder: string;
  readonly cases: number;
  readonly machines: number;
  /** Simulated seconds per real second. */
  readonly compression: number;
  /** Mishaps of the machines with the first batches. @defaultValue drawn, as for all others */
  readonly mishaps?: readonly Mishap[];
  /** The duration of a lease, in simulated seconds. */
  readonly lease: number;
}

/** The outcome of a simulation; seconds are simulated unless stated otherwise. */
export interface SimulationOutcome extends Omit<FarmSpec, 'program' | 'folder' | 'mishaps'> {
  readonly batches: number;
  readonly seconds: number;
  /** The seconds of all cases, divided by machines that are never idle. */
  readonly ideal: number;
  readonly tally: MachineTally;
  /** The number of machines that joined, with those at the start. */
  readonly came: number;
  /** Numbers of cases with exactly one result in the store, with none, and with several; and the number of files with differing results. */
  readonly told: {
    readonly once: number;
    readonly never: number;
    readonly more: number;
    readonly differ: number;
  };
  readonly broker: { readonly commands: number; readonly bytes: number; readonly memory: number };
  readonly store: { readonly files: number; readonly bytes: number; readonly campaign: number };
  /** The final cost for a starting worker, and for collecting. */
  readonly verdict: SimulationVerdict;
  /** Processor seconds of this process, which plays all machines; real ones. */
  readonly processor: number;
}

/** All recorded simulations, with their broker, machine and date. */
export interface RecordedSimulations {
  readonly broker: string;
  readonly machine: string;
  readonly farms: readonly (SimulationOutcome & { readonly date: string })[];
}

/** Simulates a campaign on a farm of machines; the broker is killed once in the middle. */
export async function simulate(asked: FarmSpec): Promise<SimulationOutcome> {
  const { program, folder, machines, compression, lease, mishaps = [] } = asked;
  const before = process.cpuUsage();
  mkdirSync(join(folder, 'broker'));
  const broker = await startBroker(program, join(folder, 'broker'));
  const store = await folderStore(join(folder, 'store'));
  const campaign = await submitCampaign(store, casesOf(asked.cases));
  const tally = noTally();
  const { url } = broker;
  const chances = mishaps.map(chanceOf);
  const world: World = { url, store, campaign, compression, lease, chances, tally };
  const ended = new AbortController();
  const queue = await redisQueue('--queue', url, { leaseSeconds: lease / compression, say: () => {} });
  await announce(queue, campaign);
  const start = performance.now();
  const counted = { commands: 0, bytes: 0, memory: 0 };
  let wasKilled = false;
  let count = machines;
  const keepOne = async (at: number): Promise<void> => {
    // Machines join one after the other, within a twentieth of the ideal time.
    await wait((at / machines) * (0.05 * idealOf(asked)) * (1000 / compression));
    for (let seed = at; !ended.signal.aborted; seed = count++) {
      const end = await simulateMachine(world, seed);
      if (end === 'finished') return;
    }
  };
  const farm = Promise.all(Array.from({ length: machines }, (_, at) => keepOne(at)));
  const onLook = async ({ done, left }: { done: readonly unknown[]; left: readonly unknown[] }) => {
    if (wasKilled || done.length < left.length) return;
    wasKilled = true;
    await addCounts(url, counted);
    await broker.kill();
    await wait((1000 * 20) / compression);
    await broker.restart();
  };
  let killing: Promise<void> = Promise.resolve();
  await feed({
    ...{ store, queue, campaign, stopped: ended.signal },
    onLook(remaining) {
      if (!wasKilled) killing = onLook(remaining);
    },
  });
  const seconds = ((performance.now() - start) / 1000) * compression;
  await killing;
  await addCounts(url, counted);
  ended.abort();
  await farm;
  await queue.close();
  await broker.kill();
  const { user, system } = process.cpuUsage(before);
  const { program: _p, folder: _f, mishaps: _m, ...about } = asked;
  return {
    ...{ ...about, batches: campaign.batches.length, seconds, ideal: idealOf(asked), tally, came: count },
    ...{ told: await told(store, campaign), broker: counted, store: sizes(join(folder, 'store')) },
    verdict: await verdictOn(join(folder, 'store')),
    processor: (user + system) / 1e6,
  };
}

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));

const idealOf = ({ cases, machines }: Pick<FarmSpec, 'cases' | 'machines'>): number =>
  (cases * MEAN_SECONDS) / machines;

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Adds the counters of a broker since its start. */
async function addCounts(
  url: string,
  to: { commands: number; bytes: number; memory: number },
): Promise<void> {
  const client = new Redis(url);
  const text = await client.info();
  client.disconnect();
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1]);
  to.commands += read('total_commands_processed');
  to.bytes += read('total_net_input_bytes') + read('total_net_output_bytes');
  to.memory = Math.max(to.memory, read('used_memory_peak'));
}

/** Reads every batch again, whole or as halves, and counts the cases with results. */
async function told(store: World['store'], campaign: World['campaign']): Promise<SimulationOutcome['told']> {
  const machines = await machinesOf(store, campaign.id);
  const times = new Map<string, number>();
  const read = async (batch: Batch): Promise<void> => {
    const all = await Promise.all(machines.map((key) => readBatch(store, batch, key, campaign.cases)));
    const found = all.filter((one) => one !== undefined);
    for (const { cases } of found)
      for (const { case: text } of cases) times.set(text, (times.get(text) ?? 0) + 1);
    if (found.length === 0) for (const half of await listHalves(campaign, batch)) await read(half);
  };
  for (const batch of campaign.batches as Batch[]) await read(batch);
  const all = campaign.cases.map(({ case: text }) => times.get(text) ?? 0);
  const differ = (await store.list('')).filter((name) => name.includes('.differs-')).length;
  return {
    once: all.filter((found) => found === 1).length,
    never: all.filter((found) => found === 0).length,
    more: all.filter((found) => found > 1).length,
    differ,
  };
}

/** Measures the cost of a verdict on the store, in a process of its own. */
async function verdictOn(folder: string): Promise<SimulationVerdict> {
  const script = fileURLToPath(new URL('./verdict.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [JITI, script, folder]);
  return JSON.parse(stdout);
}

function sizes(folder: string): SimulationOutcome['store'] {
  const all = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size] as const);
  const batches = all.filter(([name]) => /^[0-9a-f]{64}\./.test(name));
  const bytes = batches.reduce((sum, [, size]) => sum + size, 0);
  return {
    ...{ files: all.length, bytes },
    campaign: all.find(([name]) => name.startsWith('campaign-'))?.[1] ?? 0,
  };
}
