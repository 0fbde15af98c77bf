import type { WorkAbout } from './work.ts';

/** A campaign as a queue tells it: keys and counts alone. */
export interface Announced extends Pick<WorkAbout, 'sources' | 'thresholds'> {
  readonly id: string;
  readonly version: string;
  readonly batches: number;
}

/** What became of a batch, by count. */
export interface Outcome {
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
}

/** A batch that a worker has taken: nobody else takes it as long as the lease is renewed. */
export interface Lease {
  /** What it was offered as. */
  readonly batch: string;
  /** How many workers ended with it, and what judges for them did. */
  readonly ended: number;
  /** @returns false where it was lost meanwhile: another one may have the batch. */
  renew(): Promise<boolean>;
  /** It is in the store, or split. */
  done(outcome: Outcome): Promise<void>;
  /** Gives it back as it was. */
  release(): Promise<void>;
  /** Gives it back: what judged it ended. */
  died(): Promise<void>;
}

/** How far a campaign is, as a queue knows it. */
export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  /** Workers that take its batches; undefined where nobody knows. */
  readonly workers: number | undefined;
  /** Seconds since the oldest lease was taken; undefined where none is. */
  readonly oldest: number | undefined;
}

/**
 * Hands batches to workers, each to one at a time. It holds keys and counts; results are in the store. What it forgets is offered
 * again, and what it hands out twice is stored once.
 */
export interface Queue {
  /** As messages call it. */
  readonly where: string;
  /** Whether it hands out only what is offered as workers get on, so that somebody has to go on offering. */
  readonly isFed: boolean;
  announce(campaign: Announced): Promise<void>;
  announced(): Promise<Announced[]>;
  /** Forgets the batches of a campaign, all of which are in the store: whoever waits for one ends. */
  withdraw(campaign: string): Promise<void>;
  /** Whether a campaign was withdrawn; false where nobody feeds it, so that the store alone knows. */
  isWithdrawn(campaign: string): Promise<boolean>;
  /** Offers batches of a campaign that are not in the store, by id, or halves by the way to them; those that wait or are at work stay so. */
  offer(campaign: string, batches: readonly string[]): Promise<void>;
  /** The next batch of a campaign, after a while at most; undefined where there is none now. */
  take(campaign: string): Promise<Lease | undefined>;
  state(campaign: string): Promise<QueueState>;
  close(): Promise<void>;
}

/** Seconds that a lease holds that is not renewed. */
export const LEASE = 60;
