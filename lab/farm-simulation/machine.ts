import { ParanoiaError } from '../../src/base/errors.ts';
import { Random } from '../../src/base/random.ts';
import { type RedisQueueOptions, redisQueue } from '../../src/farm/node/redis-queue.ts';
import { supervise } from '../../src/farm/node/supervise.ts';
import type { Lease, Queue } from '../../src/farm/queue.ts';
import type { Store } from '../../src/farm/store.ts';
import type { StoredCampaign } from '../../src/farm/stored.ts';
import { assumed } from '../../src/precision/arithmetic.ts';
import { noBaselines } from '../../src/run/baselines.ts';
import type { Job, JobMachine } from '../../src/run/node/job-process.ts';
import { MEAN_SECONDS, stubResult } from './campaign.ts';

/** What may happen to a machine with a batch: as shares of all batches. */
export const MISHAPS = { dies: 0.01, stalls: 0.01, judgeEnds: 0.01, leaves: 0.01 } as const;

/** A thing that happens while a batch is judged, in the order in which one draw decides. */
const WHILE_JUDGING = ['dies', 'judgeEnds', 'stalls'] as const;
export type Mishap = (typeof WHILE_JUDGING)[number];

/** A draw that makes a mishap happen. */
export const chanceOf = (mishap: Mishap): number =>
  WHILE_JUDGING.slice(0, WHILE_JUDGING.indexOf(mishap)).reduce((sum, one) => sum + MISHAPS[one], 0);

/** What a simulated farm is. */
export interface World {
  readonly url: string;
  readonly store: Store;
  readonly campaign: StoredCampaign;
  /** Simulated seconds that pass in one. */
  readonly compression: number;
  /** Simulated seconds that a lease holds that is not renewed. */
  readonly lease: number;
  /** The chances of the first batches that are judged, in place of drawn ones. */
  readonly chances: number[];
  /** What happened. */
  readonly tally: Tally;
}

export interface Tally {
  batches: number;
  dies: number;
  stalls: number;
  judgeEnds: number;
  leaves: number;
  /** Simulated seconds that judges were at work. */
  busy: number;
  /** Sentences that machines said: of judges that ended, of a broker that is gone and back. */
  said: number;
}

export const noTally = (): Tally => ({
  ...{ batches: 0, dies: 0, stalls: 0, judgeEnds: 0, leaves: 0, busy: 0, said: 0 },
});

const ABOUT = {
  fingerprint: {
    ...{ id: 'simulated', kind: 'hardware', name: 'simulated', vendor: '', architecture: '', device: '' },
    ...{ driver: '', backend: 'simulated', dawn: '', features: [], toggles: [] },
  },
  ...{ arithmetic: assumed, chosenBecause: 'it is simulated', notes: [] },
} as unknown as JobMachine;

/** How a machine ended: for good by itself, or because nothing was left. */
type End = 'died' | 'left' | 'finished';

/**
 * One machine with one supervisor, its judge a stub that waits as long as its cases are drawn to take. A dead one says nothing any
 * more, not even that it ends: only its lease runs out.
 */
export async function machine(world: World, seed: number): Promise<End> {
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
  const ask: Job['ask'] = async (words, isLast) => {
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
    for (const { at, text } of words.cases) isLast({ at, result: stubResult(text, at) });
    isLast({ aside: { versions: {}, said: [], interrupted: false } });
    return undefined;
  };
  const job: Job = {
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

/** Connects to the broker; who comes while it is gone tries again, as what starts machines does. */
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

/** A queue through which a machine that is silent says nothing. */
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
