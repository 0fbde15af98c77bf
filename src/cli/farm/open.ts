import { openQueue } from '../../farm/node/open-queue.ts';
import type { Queue } from '../../farm/queue.ts';
import type { Store } from '../../farm/store.ts';
import { storeOf } from '../gate/resume.ts';
import { say } from '../say.ts';
import { type FarmRequest, LEASE } from './options.ts';

/** The store and the queue of a farm. */
export interface Farm {
  readonly store: Store;
  readonly queue: Queue;
  readonly leaseSeconds: number;
}

/**
 * Opens what a request names; whoever does closes the queue.
 * @param makesStore whether a folder is made where it is missing.
 * @throws ParanoiaError of stores and queues
 */
export async function openFarm(
  { store: place, queue: url, lease = LEASE }: FarmRequest,
  makesStore: boolean,
): Promise<Farm> {
  const store = await storeOf('--store', place, makesStore);
  return {
    store,
    leaseSeconds: lease,
    queue: await openQueue(url, store.where, { leaseSeconds: lease, say }),
  };
}
