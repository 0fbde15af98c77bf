import type { WorkFacts } from './work.ts';

/** A campaign as announced in a queue: keys and counts only. */
export interface AnnouncedCampaign extends Pick<WorkFacts, 'sources' | 'thresholds'> {
  readonly id: string;
  readonly version: string;
  readonly batches: number;
}

/** The verdicts of a batch, counted. */
export interface BatchOutcome {
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
}

/** A batch that a worker has taken: no other worker gets it while the lease is renewed. */
export interface Lease {
  /** The name under which it was offered. */
  readonly batch: string;
  /** The number of times that it crashed or hung a worker or a judging process. */
  readonly ended: number;
  /** Renews the lease. @returns false if it was lost meanwhile: another worker may have the batch */
  renew(): Promise<boolean>;
  /** Ends the lease of a batch that is in the store, or split. */
  done(outcome: BatchOutcome): Promise<void>;
  /** Returns the batch unchanged. */
  release(): Promise<void>;
  /** Returns the batch after its judging process ended. */
  died(): Promise<void>;
}

/** The progress of a campaign, as a queue knows it. */
export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  /** The number of workers that take its batches; undefined if unknown. */
  readonly workers: number | undefined;
  /** Seconds since the oldest active lease was taken; undefined if there is none. */
  readonly oldest: number | undefined;
}

/**
 * A queue that hands each batch to one worker at a time. It holds keys and counts; results are in the store. Batches that it
 * loses are offered again, and the results of one that it hands out twice are stored once.
 */
export interface Queue {
  /** Its name in messages. */
  readonly where: string;
  /** True if it hands out only what a feeder offers as workers progress. */
  readonly isFed: boolean;
  announce(campaign: AnnouncedCampaign): Promise<void>;
  announced(): Promise<AnnouncedCampaign[]>;
  /** Drops a campaign whose batches are all in the store: workers that wait for one end. */
  withdraw(campaign: string): Promise<void>;
  /** True if a campaign was withdrawn. Without a feeder it is always false, and only the store tells. */
  isWithdrawn(campaign: string): Promise<boolean>;
  /** Offers batches of a campaign that are not in the store: by id, or for halves by name. Batches that wait or are at work stay so. */
  offer(campaign: string, batches: readonly string[]): Promise<void>;
  /** Takes the next batch of a campaign, and waits for one a while; undefined if there is none now. */
  take(campaign: string): Promise<Lease | undefined>;
  state(campaign: string): Promise<QueueState>;
  close(): Promise<void>;
}

/** The default duration of a lease that is not renewed, in seconds. */
export const LEASE = 60;

/** A store of results: files that are written once, atomically, if absent. */
export interface Store {
  /** Its name in messages. */
  readonly where: string;
  /** Reads a file. @returns undefined if there is none @throws ParanoiaError `store-unusable` */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a file unless one of this name exists.
   * @returns true if it was written; otherwise the other file stays
   * @throws ParanoiaError `store-unwritable`
   */
  add(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Lists the names of all files with a prefix. @throws ParanoiaError `store-unusable` */
  list(prefix: string): Promise<string[]>;
}
