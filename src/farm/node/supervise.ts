import type { Baselines } from '../../run/baselines.ts';
import { type Job, type Jobs, startJob } from '../../run/node/job-process.ts';
import type { Lease, Outcome, Queue } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { type Batch, halfName } from '../work.ts';
import { addBatch, type BatchFound, readBatch } from './batch-files.ts';
import { type BatchIndex, batchIndex, halvesIn } from './batch-index.ts';
import { askChild } from './child.ts';
import { ending } from './ending.ts';
import { addMachine } from './machine-file.ts';

/** What a worker works with. */
export interface SuperviseOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  /** What judges: it keeps its device and its kernels from one batch to the next. */
  readonly jobs: Jobs;
  /** How one is started. @defaultValue a process of its own */
  readonly start?: typeof startJob;
  /** The baselines of a machine, by its id. */
  readonly baselines: (id: string) => Promise<Baselines>;
  /** Seconds that a lease holds that is not renewed. */
  readonly leaseSeconds: number;
  /** Told when this worker is to end: what is begun is given back. */
  readonly stopped: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Told of each batch that is done. */
  readonly onDone?: (batch: Batch, outcome: Outcome) => void;
}

/** Times that a lease is renewed while it holds. */
const RENEWALS = 4;
/** How many workers end with a batch before it is halved, and with what cannot be before it is given up. */
const [HALVED, GIVEN_UP] = [2, 3];
const NOTHING: Outcome = { pass: 0, fail: 0, inconclusive: 0 };

/**
 * Takes batches and has them judged, in as many processes as are asked for, until all batches of the campaign are in the store or
 * it is to stop. It renews the leases; what judges is a process of its own, which may end in any way.
 * @throws ParanoiaError `job-not-started`, `store-unwritable`, and what a process reports that is not of one case
 */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const { jobs, stopped } = options;
  const ends = new AbortController();
  const all = AbortSignal.any([stopped, ends.signal]);
  const batches = batchIndex(options.campaign);
  const loops = Array.from({ length: jobs.count }, () =>
    takeAndJudge({ ...options, stopped: all }, batches).catch((error: unknown) => {
      ends.abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(loops);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A process that judges, and the key of its machine. */
interface Child {
  readonly job: Job;
  readonly machine: string;
  readonly baselines: Baselines;
}

async function takeAndJudge(options: SuperviseOptions, batches: BatchIndex): Promise<void> {
  const { queue, campaign, stopped } = options;
  let child: Child | undefined;
  let isOver = ending(options);
  try {
    while (!stopped.aborted) {
      const lease = await queue.take(campaign.id);
      if (lease === undefined) {
        if (await isOver()) return;
        continue;
      }
      if (stopped.aborted) return await lease.release();
      const batch = await batches.find(lease.batch);
      child = await oneBatch(lease, batch, child, options);
      isOver = ending(options);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    if (stopped.aborted) child?.job.kill();
    else await child?.job.end();
  }
}

/** @returns the process, if it is still there. */
async function oneBatch(
  lease: Lease,
  batch: Batch | undefined,
  before: Child | undefined,
  options: SuperviseOptions,
): Promise<Child | undefined> {
  const { store, campaign, queue, stopped, leaseSeconds, onDone } = options;
  // What nobody knows is of no campaign of ours.
  if (batch === undefined) {
    await lease.done(NOTHING);
    return before;
  }
  const renewing = setInterval(() => lease.renew().catch(() => {}), (1000 * leaseSeconds) / RENEWALS);
  try {
    const halves = lease.ended >= HALVED ? await halvesIn(campaign, batch) : [];
    if (halves.length > 0) {
      await queue.offer(
        campaign.id,
        halves.map((_, at) => halfName(lease.batch, at === 0 ? 0 : 1)),
      );
      await lease.done(NOTHING);
      return before;
    }
    const child = before ?? (await startChild(options));
    const known = await readBatch(store, batch, child.machine, campaign.cases);
    // Of what is ended because this worker is to end, nothing is to be said.
    const say = (sentence: string) => (stopped.aborted ? undefined : options.say(sentence));
    const about = { campaign, say };
    const ended = lease.ended >= GIVEN_UP ? lease.ended : undefined;
    const found = known ?? (await askChild(child.job, batch, child.baselines, about, ended));
    if (stopped.aborted) {
      await lease.release();
      return child;
    }
    if (found === undefined) {
      child.job.kill();
      await lease.died();
      return undefined;
    }
    if (known === undefined) await stored(batch, child.machine, found, options);
    const outcome = outcomeOf(found);
    await lease.done(outcome);
    onDone?.(batch, outcome);
    return child;
  } catch (error) {
    await lease.release().catch(() => {});
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

async function stored(
  batch: Batch,
  machine: string,
  found: BatchFound,
  { store, campaign, say }: SuperviseOptions,
) {
  const differs = await addBatch(store, batch, machine, campaign, found);
  if (differs !== undefined) say(differs.message);
}

const outcomeOf = ({ cases, fuzz }: BatchFound): Outcome => {
  if (fuzz !== undefined) {
    const { pass, fail, inconclusive } = fuzz.count;
    return { pass, fail, inconclusive };
  }
  const count = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).length;
  return { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive') };
};

async function startChild(options: SuperviseOptions): Promise<Child> {
  const { jobs, store, campaign, baselines, stopped, start = startJob } = options;
  const started: Pick<Job, 'kill'>[] = [];
  const kill = () => {
    for (const one of started) one.kill();
  };
  stopped.addEventListener('abort', kill, { once: true });
  const job = await start(jobs, started);
  const { fingerprint } = job.machine;
  const known = await baselines(fingerprint.id);
  return { job, machine: await addMachine(store, campaign, job.machine, known), baselines: known };
}
