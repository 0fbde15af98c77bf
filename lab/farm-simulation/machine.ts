import { ParanoiaError } from '../../src/base/errors.ts';
import { Random } from '../../src/base/random.ts';
import { type RedisQueueOptions, redisQueue } from '../../src/farm/node/redis-queue.ts';
import { supervise } from '../../src/farm/node/supervise.ts';
import type { Lease, Queue, Store } from '../../src/farm/queue.ts';
import type { StoredCampaign } from '../../src/farm/stored.ts';
import { assumed } from '../../src/precision/arithmetic.ts';
import { noBaselines } from '../../src/run/baselines.ts';
import type { JobMachine, JobProcess } from '../../src/run/node/job-process.ts';
import { MEAN_SECONDS, stubResult } from './campaign.ts';

/** Probabilities of mishaps of a machine with a batch. */
export const MISHAPS = { dies: 0.01, stalls: 0.01, judgeEnds: 0.01, leaves: 0.01 } as const;

/** Mishaps while a batch is judged, in the order in which one draw selects them. */
const WHILE_JUDGING = ['dies', 'judgeEnds', 'stalls'] as const;
export type Mishap = (typeof WHILE_JUDGING)[number];

/** A draw that selects a mishap. */
export const chanceOf = (mishap: Mishap): number =>
  WHILE_JUDGING.slice(0, WHILE_JUDGING.indexOf(mishap)).reduce((sum, one) => sum + MISHAPS[one], 0);

/** A simulated farm. */
export interface World {
  readonly url: string;
  readonly store: Store;
  readonly campaign: StoredCampaign;
  /** Simulated seconds per real second. */
  readonly compression: number;
  /** The duration of a lease that is not renewed, in simulated seconds. */
  readonly lease: number;
  /** Fixed draws for the first batches. */
  readonly chances: number[];
  /** Counts of events. */
  readonly tally: MachineTally;
}

export interface MachineTally {
  batches: number;
  dies: number;
  stalls: number;
  judgeEnds: number;
  leaves: number;
  /** Simulated seconds of judging. */
  busy: number;
  /** The number of messages of machines: about judges that ended, and a broker that was lost or is back. */
  said: number;
}

export const noTally = (): MachineTally => ({
  ...{ batches: 0, dies: 0, stalls: 0, judgeEnds: 0, leaves: 0, busy: 0, said: 0 },
});

const ABOUT = {
  fingerprint: {
    ...{ id: 'simulated', kind: 'hardware', name: 'simulated', vendor: '', architecture: '', device: '' },
    ...{ driver: '', backend: 'simulated', dawn: '', features: [], toggles: [] },
  },
  ...{ arithmetic: assumed, chosenBecause: 'it is simulated', notes: [] },
} as unknown as JobMachine;

/** The end of a machine: it died or left by itself, or all batches were done. */
type End = 'died' | 'left' | 'finished';

/**
 * Simulates one machine with one supervisor; its judge is a stub that waits for the drawn durations of its cases. A dead machine
 * sends no messages, so only its lease expires.
 */
export async function simulateMachine(world: World, seed: number): Promise<End> {
  const { campaign, store, compression, chances, tally, lease } = world;
  const random = new Random([seed + 1, 0x9e3779b9, 0x7f4a7c15, seed ^ 0x5bd1e995]);
  const state = { isSilent: false };
  const leaves = new AbortController();
  const never = new Promise<never>(() => {});
  let die = (_: End) => {};
  const died = new Promise<End>((resolve) => {
    die = resolve;
  });
  const pause = (seconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, (1000 * seconds) / compression));
  const leaseSeconds = lease / compression;
  const options = { leaseSeconds, say: () => void tally.said++ };
  const queue = await connected(world.url, options);
  const ask: JobProcess['ask'] = async (words, isLast) => {
    if (typeof words !== 'object' || !('cases' in words)) throw new Error('a stub judges cases alone');
    const takes = words.cases.reduce((sum) => sum - MEAN_SECONDS * Math.log(1 - random.uniform01()), 0);
    const chance = chances.shift() ?? random.uniform01();
    const { dies, stalls, judgeEnds } = MISHAPS;
    await pause(takes * (chance < dies + judgeEnds ? random.uniform01() : 1));
    if (chance < dies) {
      tally.dies++;
      state.isSilent = true;
      die('died');
      return never;
    }
    if (chance < dies + judgeEnds) {
      tally.judgeEnds++;
      return 'ended';
    }
    if (chance < dies + judgeEnds + stalls) {
      tally.stalls++;
      state.isSilent = true;
      await pause(3 * lease);
      state.isSilent = false;
    }
    tally.busy += takes;
    for (const { at, text } of words.cases) isLast({ at, result: stubResult(text, at), seconds: 0 });
    isLast({ aside: { versions: {}, said: [], interrupted: false } });
    return undefined;
  };
  const job: JobProcess = {
    ...{ machine: ABOUT, ask, stop() {}, kill() {}, async end() {} },
    judge: async () => undefined,
  };
  const works = supervise({
    ...{ store, campaign, leaseSeconds, stopped: leaves.signal },
    queue: silenced(queue, state),
    jobs: { count: 1, module: new URL(import.meta.url), args: {} },
    start: async () => job,
    baselines: async (id) => noBaselines(id),
    say: () => void tally.said++,
    onDone() {
      tally.batches++;
      if (random.uniform01() >= MISHAPS.leaves) return;
      tally.leaves++;
      leaves.abort();
    },
  });
  const end = await Promise.race([
    works.then((): End => (leaves.signal.aborted ? 'left' : 'finished')),
    died,
  ]);
  await queue.close();
  return end;
}

/** Connects to the broker, and retries while it is down, as a machine's service manager would. */
async function connected(url: string, options: RedisQueueOptions): Promise<Queue> {
  for (;;) {
    try {
      return await redisQueue('--queue', url, options);
    } catch (error) {
      if (!(error instanceof ParanoiaError) || error.code !== 'queue-down') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** A queue through which a dead machine sends no messages. */
function silenced(queue: Queue, state: { readonly isSilent: boolean }): Queue {
  return {
    ...queue,
    async take(campaign) {
      const lease = await queue.take(campaign);
      return lease && { ...lease, ...silencedLease(lease, state) };
    },
  };
}

const silencedLease = (lease: Lease, state: { readonly isSilent: boolean }): Pick<Lease, 'renew'> => ({
  renew: async () => (state.isSilent ? false : lease.renew()),
});
