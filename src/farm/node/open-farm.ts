import { say } from '../../base/node/say.ts';
import type { Queue } from '../queue.ts';
import { LEASE } from '../queue.ts';
import type { Store } from '../store.ts';
import { openQueue } from './open-queue.ts';
import { storeOf } from './open-store.ts';

/** The store and the queue that a command names, and the seconds of a lease. */
interface FarmPlace {
  readonly store?: string | undefined;
  readonly queue?: string | undefined;
  readonly lease?: number | undefined;
}

/** The store and the queue of a farm. */
export interface Farm {
  readonly store: Store;
  readonly queue: Queue;
  readonly leaseSeconds: number;
}

/**
 * Opens the store and the queue of a request; the caller closes the queue.
 * @param makesStore true to create a missing folder
 * @throws ParanoiaError of stores and queues
 */
export async function openFarm(
  { store: place, queue: url, lease = LEASE }: FarmPlace,
  makesStore: boolean,
): Promise<Farm> {
  const store = await storeOf('--store', place, makesStore);
  return {
    store,
    leaseSeconds: lease,
    queue: await openQueue(url, store.where, { leaseSeconds: lease, say }),
  };
}
