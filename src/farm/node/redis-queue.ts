import { randomUUID } from 'node:crypto';
import type { Queue as BullQueue, Worker as BullWorker, Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { findPeer } from '../../kernels/clients/node/peer.ts';
import { describeThrown } from '../../kernels/kernel-error.ts';
import { badPlace, queueDown } from '../messages.ts';
import type { AnnouncedCampaign, BatchOutcome, Lease, Queue } from '../queue.ts';

type Bull = typeof import('bullmq');
type Client = typeof import('ioredis');

const PEERS = [
  { name: 'bullmq', version: '6' },
  { name: 'ioredis', version: '5' },
] as const;
/** The prefix of all our keys. */
const PREFIX = 'gemm-paranoia';
const [CAMPAIGNS, WITHDRAWN] = [`${PREFIX}:campaigns`, `${PREFIX}:withdrawn`];
/** The broker's time limit for its first answer, in seconds. */
const FIRST_ANSWER = 10;
/** Seconds that a worker waits for a batch, and the most milliseconds between attempts to reconnect. */
const [WAITING, BETWEEN] = [2, 10_000];
/** The number of times a batch may stall: the queue counts stalls itself, to find batches that crash workers. */
const ALWAYS = 1_000_000;

export interface RedisQueueOptions {
  /** The duration of a lease that is not renewed, in seconds. */
  readonly leaseSeconds: number;
  /** Called once when the broker is lost, and once when it is back. */
  readonly say: (sentence: string) => void;
}

/**
 * Opens a queue on Redis or Valkey, through BullMQ: a BullMQ queue for each campaign, and a job for each batch, named by its id.
 * @param url `redis://…` or `rediss://…`
 * @throws ParanoiaError `bad-place`, `peer-missing`, `queue-down`
 */
export async function redisQueue(option: string, url: string, options: RedisQueueOptions): Promise<Queue> {
  const where = shown(option, url);
  const [bull, ioredis] = PEERS.map((peer) => findPeer(`${option} ${where}`, peer, PEERS).load()) as [
    Bull,
    Client,
  ];
  const client = await connected(ioredis, url, where);
  watch(client, where, options.say);
  const connection = client as never;
  const queues = new Map<string, BullQueue>();
  const workers = new Map<string, Promise<BullWorker>>();
  const queueOf = (campaign: string) => {
    const known = queues.get(campaign);
    if (known !== undefined) return known;
    const queue = new bull.Queue(campaign, { connection, prefix: PREFIX, skipMetasUpdate: true });
    // Errors of its connection are reported by the connection.
    queue.on('error', () => {});
    queues.set(campaign, queue);
    return queue;
  };
  const connectedWorker = async (campaign: string) => {
    const worker = new bull.Worker(campaign, null, {
      ...{ connection, prefix: PREFIX, autorun: false, drainDelay: WAITING, name: PREFIX },
      ...{ lockDuration: 1000 * options.leaseSeconds, stalledInterval: 500 * options.leaseSeconds },
      maxStalledCount: ALWAYS,
    });
    worker.on('error', () => {});
    try {
      await worker.waitUntilReady();
      await worker.startStalledCheckTimer();
      return worker;
    } catch (error) {
      // A worker that fails to connect at first never will: the next take makes another one.
      workers.delete(campaign);
      await worker.close(true).catch(() => {});
      throw error;
    }
  };
  const workerOf = (campaign: string) => {
    const worker = workers.get(campaign) ?? connectedWorker(campaign);
    workers.set(campaign, worker);
    return worker;
  };
  return {
    where,
    isFed: true,
    async announce(campaign) {
      await client.srem(WITHDRAWN, campaign.id);
      await client.hset(CAMPAIGNS, campaign.id, JSON.stringify(campaign));
    },
    async announced() {
      return Object.values(await client.hgetall(CAMPAIGNS)).map(
        (text) => JSON.parse(text) as AnnouncedCampaign,
      );
    },
    async withdraw(campaign) {
      // Withdrawal has a key of its own: a broker that has lost its data does not send workers away.
      await client.sadd(WITHDRAWN, campaign);
      await queueOf(campaign).obliterate({ force: true });
    },
    isWithdrawn: async (campaign) => (await client.sismember(WITHDRAWN, campaign)) === 1,
    async offer(campaign, batches) {
      const opts = { attempts: ALWAYS, removeOnComplete: false, stackTraceLimit: 0 };
      const jobs = batches.map((jobId) => ({ name: 'batch', data: {}, opts: { ...opts, jobId } }));
      await queueOf(campaign).addBulk(jobs);
    },
    async take(campaign) {
      const token = randomUUID();
      const job = await workerOf(campaign)
        .then((worker) => worker.getNextJob(token))
        .catch(pausing);
      return job === undefined || job === null ? undefined : leaseOf(job, token, options.leaseSeconds);
    },
    async state(campaign) {
      const queue = queueOf(campaign);
      const { waiting, active, delayed, completed } = await queue.getJobCounts(
        ...(['waiting', 'active', 'delayed', 'completed'] as const),
      );
      // Active jobs come in the order in which they were taken.
      const [first] = await queue
        .getActive(0, 0)
        .then((all) => all.flatMap(({ processedOn }) => processedOn ?? []));
      return {
        ...{ waiting: waiting + delayed, active, done: completed },
        workers: await queue.getWorkersCount(),
        oldest: first === undefined ? undefined : Math.max(0, (Date.now() - first) / 1000),
      };
    },
    async close() {
      const all = [...workers.values(), ...queues.values()];
      await Promise.all(all.map(async (one) => (await one).close()).map((end) => end.catch(() => {})));
      client.removeAllListeners('close');
      client.disconnect();
    },
  };
}

/** Returns no batch, and waits before the next attempt: the broker is gone. */
async function pausing(): Promise<undefined> {
  await new Promise((done) => setTimeout(done, 1000 * WAITING));
}

function leaseOf(job: Job, token: string, leaseSeconds: number): Lease {
  return {
    batch: job.id as string,
    ended: job.stalledCounter + job.attemptsMade,
    renew: async () => (await job.extendLock(token, 1000 * leaseSeconds)) > 0,
    async done(outcome: BatchOutcome) {
      await orLost(job.moveToCompleted(outcome, token, false));
    },
    async release() {
      await orLost(job.moveToWait(token));
    },
    async died() {
      await orLost(job.moveToFailed(new Error('ended'), token, false));
    },
  };
}

/** Ignores the error of a lost lease, which another worker holds: the results are stored anyway. */
async function orLost(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!/lock|missing key|not in the active state/i.test(String((error as Error).message))) throw error;
  }
}

/** Formats the address of a broker without its password. @throws ParanoiaError `bad-place` */
function shown(option: string, url: string): string {
  const need = 'redis://host:port';
  const refuse = () => badPlace({ option, given: url.replace(/\/\/.*@/, '//…@'), need });
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) throw refuse();
  const { protocol, host, pathname } = new URL(url);
  if (host === '') throw refuse();
  return `${protocol}//${host}${pathname}`;
}

/** Connects to a broker. @throws ParanoiaError `queue-down` */
async function connected({ Redis }: Client, url: string, where: string): Promise<Redis> {
  let isFirst = true;
  const client = new Redis(url, {
    ...{ lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: 1000 * FIRST_ANSWER },
    retryStrategy: (times) => (isFirst ? null : Math.min(BETWEEN, 100 * 2 ** Math.min(times, 10))),
  });
  let why: unknown = new Error('it does not answer');
  client.on('error', (error) => {
    why = error;
  });
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(why), 1000 * FIRST_ANSWER).unref());
  try {
    await Promise.race([client.connect().then(() => client.ping()), late]);
  } catch (error) {
    client.disconnect();
    const found = (why as Error).message === '' ? error : why;
    throw queueDown({ queue: where, why: describeThrown(found).replace(/\.$/, '') }, error);
  }
  isFirst = false;
  return client;
}

/** Reports once that a broker is gone, and once that it is back. */
function watch(client: Redis, where: string, say: (sentence: string) => void): void {
  let isGone = false;
  client.on('close', () => {
    if (isGone || client.status === 'end') return;
    isGone = true;
    say(`The queue ${where} does not answer. Begun batches continue, and the connection is retried.`);
  });
  client.on('ready', () => {
    if (isGone) say(`The queue ${where} answers again.`);
    isGone = false;
  });
}
