import type { Queue } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { remainingOf } from './remaining.ts';

/** What a worker waits for. */
export interface EndingOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  /** Milliseconds that go on. */
  readonly now?: () => number;
}

/**
 * Milliseconds between looks into the store. Who feeds a queue says there that all is done, and is missed only where it was ended
 * itself: a thousand workers that all list ten thousand files are more than a store bears.
 */
const LOOK = { fed: 60_000, alone: 2000 } as const;

/** Says, again and again, whether a worker that gets no batch is to go: all batches of the campaign are in the store. */
export function ending({
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
