import { badMessage, bannedWorker, noLease, notJoined, strangersDisagree, tooOften } from '../messages.ts';
import type { Queue, Lease as QueueLease } from '../queue.ts';
import { difference } from '../same-results.ts';
import type { Batch } from '../work.ts';
import { parted } from './planted.ts';
import { type PlantingOptions, planting } from './planting.ts';
import { implausible } from './plausible.ts';
import type { Body, Found, LeaseAnswer } from './protocol.ts';
import { spotCheck } from './trusted.ts';

/** What a ledger works with. */
export interface LedgerOptions extends PlantingOptions {
  readonly queue: Queue;
  readonly find: (id: string) => Promise<Batch | undefined>;
  /** Cases of each batch that are judged here as well. */
  readonly spots: number;
  /** The share of batches that a second worker judges though nothing failed. */
  readonly again: number;
  readonly leaseSeconds: number;
  /** Milliseconds, of a clock that never goes back. */
  readonly now: () => number;
  readonly say: (sentence: string) => void;
}

/** A stranger's machine, and its name among machines. */
export interface StrangersMachine extends Pick<Body<'join'>, 'machine'> {
  readonly name: string;
}

/** What one worker found of a batch. */
export interface Opinion {
  readonly worker: Worker;
  readonly machine: StrangersMachine;
  readonly found: Found;
  /** Cases of it that were judged here, with the same numbers, and planted ones that it found to fail. */
  readonly agreed: number;
}

interface Worker {
  readonly key: string;
  machine: StrangersMachine;
  banned?: string;
}

/** A batch that a queue gave to the gateway, until it is in the store. */
interface Held {
  readonly batch: Batch;
  queued: QueueLease;
  readonly opinions: Opinion[];
  /** Whether it was drawn to be judged twice. */
  readonly isDrawn: boolean;
  isOut: boolean;
}

interface Leased {
  readonly id: string;
  readonly worker: Worker;
  readonly held: Held;
  until: number;
  /** The texts of cases that are none of the campaign. */
  planted: readonly string[];
}

/** What is believed of a batch: one result, or two that disagree. */
export interface Believed {
  readonly batch: Batch;
  readonly queued: QueueLease;
  readonly opinions: readonly Opinion[];
}

/** Leases that a key has at most, and seconds after which to ask again. */
const [MOST_LEASES, WAIT] = [4, 2];
/** Keys that a gateway remembers, and batches that it holds: each costs memory. */
const [MOST_WORKERS, MOST_HELD] = [100_000, 20_000];

/**
 * Who has which batch, who said what of it, and what of that is believed. It holds results until the campaign is whole: those of a
 * worker that lied are then asked anew, all of them.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #workers = new Map<string, Worker>();
  readonly #held = new Map<string, Held>();
  readonly #leases = new Map<string, Leased>();
  readonly #plant: ReturnType<typeof planting>;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#plant = planting(options);
  }

  join(key: string, machine: StrangersMachine): void {
    const known = this.#workers.get(key);
    if (known === undefined && this.#workers.size >= MOST_WORKERS)
      throw tooOften({ what: 'it has as many workers as it remembers' });
    if (known === undefined) this.#workers.set(key, { key, machine });
    else this.#requireHonest(known).machine = machine;
  }

  /** The next batch for a worker. @throws ParanoiaError `not-joined`, `banned-worker`, `too-often` */
  async lease(key: string): Promise<LeaseAnswer> {
    const worker = this.#worker(key);
    const own = [...this.#leases.values()].filter((one) => one.worker === worker);
    if (own.length >= MOST_LEASES) throw tooOften({ what: `a key has ${MOST_LEASES} leases at most` });
    const held = this.#waitingFor(worker) ?? (await this.#taken());
    if (held === undefined) return { wait: WAIT };
    held.isOut = true;
    const { campaign, leaseSeconds, now } = this.#options;
    const id = crypto.randomUUID();
    const until = () => now() + 1000 * leaseSeconds;
    const leased: Leased = { id, worker, held, until: until(), planted: [] };
    this.#leases.set(id, leased);
    const { cases, marks, planted } = await this.#plant(held.batch);
    Object.assign(leased, { planted, until: until() });
    const { thresholds, budget } = campaign;
    return {
      ...{ lease: id, batch: held.batch.id, leaseSeconds, thresholds, cases: [...cases], marks: [...marks] },
      ...(budget === undefined ? {} : { budget }),
    };
  }

  /** @throws ParanoiaError `no-lease`, `banned-worker`, `not-joined` */
  renew(key: string, lease: string): void {
    const { leaseSeconds, now } = this.#options;
    this.#leaseOf(key, lease).until = now() + 1000 * leaseSeconds;
  }

  /** @throws as {@link renew} */
  release(key: string, lease: string): void {
    this.#drop(this.#leaseOf(key, lease));
  }

  /**
   * Takes a result, once.
   * @throws ParanoiaError `no-lease`, `banned-worker`, `not-joined`; `bad-message` where the result cannot be one of the batch
   */
  async result(key: string, { lease, batch, found }: Body<'result'>): Promise<void> {
    const leased = this.#leaseOf(key, lease);
    const { held, worker, planted } = leased;
    if (held.batch.id !== batch) throw noLease({ why: 'it is of another batch' });
    const { campaign, judge, random, spots } = this.#options;
    const texts = (held.batch.places ?? []).map((at) => campaign.cases[at].case);
    const why = implausible([...texts, ...planted], found);
    if (why !== undefined) throw badMessage({ why });
    // From here on the lease is used up: the same result, sent twice, counts once.
    this.#leases.delete(lease);
    const machine = worker.machine;
    const { found: own, failed, passed } = parted(found, planted);
    const spotted =
      passed === undefined
        ? await spotCheck(own, spots, random, judge).catch(() => ({ agreed: 0 }) as const)
        : { lie: `it says that ${passed} passes, which was given to it so that it fails` };
    held.isOut = false;
    if ('lie' in spotted) return this.#ban(worker, spotted.lie);
    const agreed = spotted.agreed + failed;
    if (worker.banned === undefined) held.opinions.push({ worker, machine, found: own, agreed });
  }

  /** Lets leases go whose time is over, and keeps those that the queue gave. */
  async sweep(): Promise<void> {
    const now = this.#options.now();
    for (const leased of this.#leases.values()) if (leased.until < now) this.#drop(leased);
    await Promise.all([...this.#held.values()].map(({ queued }) => queued.renew().catch(() => false)));
  }

  /** The batches that are believed, or on which two disagree. */
  believed(): Believed[] {
    const all = [...this.#held.values()].filter((held) => this.#isSettled(held));
    return all.map(({ batch, queued, opinions }) => ({ batch, queued, opinions }));
  }

  /** How many batches wait for a second worker on the same machine. */
  get doubtful(): number {
    return [...this.#held.values()].filter((held) => held.opinions.length === 1 && !this.#isSettled(held))
      .length;
  }

  /** The keys that are not believed any more. */
  get banned(): string[] {
    return [...this.#workers.values()].filter((one) => one.banned !== undefined).map(({ key }) => key);
  }

  /** What two opinions of a batch differ in, if they do. */
  disagreement({ batch, opinions: [one, other] }: Pick<Believed, 'batch' | 'opinions'>) {
    const what = other && difference(one.found, other.found, this.#options.campaign.unsteady);
    if (what === undefined) return undefined;
    return strangersDisagree({ batch: batch.id.slice(0, 12), machine: one.machine.machine.adapter.id, what });
  }

  /** Forgets a batch that is in the store. */
  settle(id: string): void {
    this.#held.delete(id);
  }

  /** Gives all that is not believed back to the queue. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ queued }) => queued.release().catch(() => {})));
  }

  #worker(key: string): Worker {
    const found = this.#workers.get(key);
    if (found === undefined) throw notJoined();
    return this.#requireHonest(found);
  }

  #requireHonest(worker: Worker): Worker {
    if (worker.banned !== undefined) throw bannedWorker({ key: shownKey(worker.key), why: worker.banned });
    return worker;
  }

  #leaseOf(key: string, lease: string): Leased {
    const worker = this.#worker(key);
    const found = this.#leases.get(lease);
    if (found === undefined) throw noLease({ why: 'it was used, it ran out, or it never was' });
    if (found.worker !== worker) throw noLease({ why: 'it is of another key' });
    return found;
  }

  #drop({ id, held }: Leased): void {
    this.#leases.delete(id);
    held.isOut = false;
  }

  /** A failure is believed of two, and so is what nothing of could be compared, and what is drawn. */
  #isSettled({ opinions: [one, other], isDrawn }: Held): boolean {
    if (one === undefined) return false;
    if (other !== undefined) return true;
    return !isDrawn && one.agreed > 0 && one.found.cases.every(({ verdict }) => verdict !== 'fail');
  }

  /** A batch that nobody has, or that a second worker on the same machine is to judge. */
  #waitingFor({ key, machine }: Worker): Held | undefined {
    for (const held of this.#held.values()) {
      if (held.isOut || this.#isSettled(held)) continue;
      const [first] = held.opinions;
      if (first === undefined || (first.worker.key !== key && first.machine.name === machine.name))
        return held;
    }
    return undefined;
  }

  async #taken(): Promise<Held | undefined> {
    const { queue, campaign, find, random, again } = this.#options;
    if (this.#held.size >= MOST_HELD) return undefined;
    const queued = await queue.take(campaign.id);
    const batch = queued && (await find(queued.batch));
    if (queued === undefined || batch === undefined) return undefined;
    const known = this.#held.get(batch.id);
    const about = { batch, queued, isDrawn: random.uniform01() < again };
    if (known === undefined) {
      const held: Held = { ...about, opinions: [], isOut: false };
      this.#held.set(batch.id, held);
      return held;
    }
    // One whose lease ran out in the queue comes again: what is known of it stays.
    known.queued = queued;
    return undefined;
  }

  /** Believes nothing of a worker any more: its results are dropped, and others judge them. */
  #ban(worker: Worker, why: string): void {
    worker.banned = why;
    let dropped = 0;
    for (const leased of [...this.#leases.values()]) if (leased.worker === worker) this.#drop(leased);
    for (const { opinions } of this.#held.values()) {
      const at = opinions.findIndex((one) => one.worker === worker);
      if (at >= 0) dropped += opinions.splice(at, 1).length;
    }
    const { message } = bannedWorker({ key: shownKey(worker.key), why });
    this.#options.say(dropped === 0 ? message : `${message} That is ${dropped} of its batches.`);
  }
}

/** The beginning of a key, which tells workers apart. */
export const shownKey = (key: string): string => key.slice(0, 12);
