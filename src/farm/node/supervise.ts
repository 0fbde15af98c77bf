import type { Baselines } from '../../run/baselines.ts';
import { type JobOptions, type JobProcess, startJob } from '../../run/node/job-process.ts';
import type { BatchOutcome, Lease, Queue, Store } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import { type Batch, halfName } from '../work.ts';
import { addBatch, addMachine, type BatchRecord, readBatch } from './batch-files.ts';
import { type BatchIndex, batchIndex, listHalves, remainingOf } from './batch-progress.ts';
import { askChild } from './child.ts';

export interface SuperviseOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  /** The judging processes, which keep their device and kernels from batch to batch. */
  readonly jobs: JobOptions;
  /** Starts a judging process. @defaultValue {@link startJob} */
  readonly start?: typeof startJob;
  /** Returns the baselines of a machine by its id. */
  readonly baselines: (id: string) => Promise<Baselines>;
  /** The duration of a lease that is not renewed, in seconds. */
  readonly leaseSeconds: number;
  /** Aborted when this worker must end: it releases the batches that it has begun. */
  readonly stopped: AbortSignal;
  readonly say: (sentence: string) => void;
  /** Called for each batch done. */
  readonly onDone?: (batch: Batch, outcome: BatchOutcome) => void;
}

/** The number of renewals within the duration of a lease. */
const RENEWALS = 4;
/** The number of workers that must crash or hang on a batch before it is halved. If it cannot be halved, the second number gives it up. */
const [HALVED, GIVEN_UP] = [2, 3];
const NOTHING: BatchOutcome = { pass: 0, fail: 0, inconclusive: 0 };

/**
 * Takes batches and has them judged, until all batches of the campaign are in the store or it is stopped. It renews the leases.
 * Judging runs in as many processes as requested, each of which may crash or hang.
 * @throws ParanoiaError `job-not-started`, `store-unwritable`, and errors of a process that do not concern one case
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

/** A judging process, and the key of its machine. */
interface Child {
  readonly job: JobProcess;
  readonly machine: string;
  readonly baselines: Baselines;
}

async function takeAndJudge(options: SuperviseOptions, batches: BatchIndex): Promise<void> {
  const { queue, campaign, stopped } = options;
  let child: Child | undefined;
  let isOver = createEndTest(options);
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
      isOver = createEndTest(options);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    if (stopped.aborted) child?.job.kill();
    else await child?.job.end();
  }
}

/** Processes one batch. @returns the judging process, if it is still alive */
async function oneBatch(
  lease: Lease,
  batch: Batch | undefined,
  before: Child | undefined,
  options: SuperviseOptions,
): Promise<Child | undefined> {
  const { store, campaign, queue, stopped, leaseSeconds, onDone } = options;
  // A batch of an unknown name belongs to no campaign of ours.
  if (batch === undefined) {
    await lease.done(NOTHING);
    return before;
  }
  const renewing = setInterval(() => lease.renew().catch(() => {}), (1000 * leaseSeconds) / RENEWALS);
  try {
    const halves = lease.ended >= HALVED ? await listHalves(campaign, batch) : [];
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
    // Silent once this worker must end: the ends of its processes are then expected.
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
  found: BatchRecord,
  { store, campaign, say }: SuperviseOptions,
) {
  const differs = await addBatch(store, batch, machine, campaign, found);
  if (differs !== undefined) say(differs.message);
}

const outcomeOf = ({ cases, fuzz }: BatchRecord): BatchOutcome => {
  if (fuzz !== undefined) {
    const { pass, fail, inconclusive } = fuzz.count;
    return { pass, fail, inconclusive };
  }
  const count = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).length;
  return { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive') };
};

async function startChild(options: SuperviseOptions): Promise<Child> {
  const { jobs, store, campaign, baselines, stopped, start = startJob } = options;
  const started: Pick<JobProcess, 'kill'>[] = [];
  const kill = () => {
    for (const one of started) one.kill();
  };
  stopped.addEventListener('abort', kill, { once: true });
  const job = await start(jobs, started);
  const { fingerprint } = job.machine;
  const known = await baselines(fingerprint.id);
  return { job, machine: await addMachine(store, campaign, job.machine, known), baselines: known };
}

/** Options of a worker's wait. */
interface EndingOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Milliseconds between checks of the store. The feeder of a queue announces its end, so the store is checked only in case the
 * feeder itself was killed. A thousand workers that each list ten thousand files would overload a store.
 */
const LOOK = { fed: 60_000, alone: 2000 } as const;

/** Returns a function that is true if a worker without a batch may end: all batches of the campaign are in the store. */
export function createEndTest({
  store,
  queue,
  campaign,
  now = () => performance.now(),
}: EndingOptions): () => Promise<boolean> {
  let next = queue.isFed ? now() + LOOK.fed : now();
  return async () => {
    if (await queue.isWithdrawn(campaign.id)) return true;
    if (now() < next) return false;
    next = now() + (queue.isFed ? LOOK.fed : LOOK.alone);
    return (await remainingOf(store, campaign)).left.length === 0;
  };
}
