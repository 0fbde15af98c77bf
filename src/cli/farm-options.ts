import { DURATIONS, secondsOf } from '../base/duration.ts';
import { badNumber } from '../base/messages.ts';
import { type Flags, parseText } from '../config/flags.ts';
import { openQueue } from '../farm/node/open-queue.ts';
import type { Queue } from '../farm/queue.ts';
import type { Store } from '../farm/store.ts';
import { storeOf } from './resume.ts';
import { say } from './say.ts';

/** Seconds that a lease holds that is not renewed. */
const LEASE = 60;

/** The store and the queue of a farm. */
export interface Farm {
  readonly store: Store;
  readonly queue: Queue;
  readonly leaseSeconds: number;
}

/**
 * Opens what flags name; whoever does closes the queue.
 * @param makesStore whether a folder is made where it is missing.
 * @throws ParanoiaError of stores and queues, `bad-number`, `missing-option`
 */
export async function openFarm(flags: Flags, makesStore: boolean): Promise<Farm> {
  const store = await storeOf('--store', flags.store, makesStore);
  const url = flags.queue === undefined ? undefined : parseText('--queue', flags.queue);
  const leaseSeconds = leaseOf(flags);
  return { store, leaseSeconds, queue: await openQueue(url, store.where, { leaseSeconds, say }) };
}

function leaseOf({ lease }: Flags): number {
  if (lease === undefined) return LEASE;
  const text = parseText('--lease', lease);
  const seconds = secondsOf(text);
  if (seconds === undefined) throw badNumber({ what: '--lease', given: text, need: DURATIONS });
  return seconds;
}

/** The beginning of the id of the campaign that is meant. @throws ParanoiaError `missing-option` */
export const askedCampaign = ({ campaign }: Flags): string | undefined =>
  campaign === undefined ? undefined : parseText('--campaign', campaign);
