import type { Queue } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { remainingOf } from './batch-progress.ts';

/** Options of a worker's wait. */
export interface EndingOptions {
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
