import { say } from '../../base/node/say.ts';
import { badPlace } from '../messages.ts';
import { LEASE, type Queue, type Store } from '../queue.ts';
import { folderQueue } from './folder-queue.ts';
import { storeOf } from './open-store.ts';
import type { RedisQueueOptions } from './redis-queue.ts';

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

/**
 * Opens the queue at an address, `redis://…`; without one, that of the store, if it is a folder.
 * @throws ParanoiaError `bad-place`, `peer-missing`, `queue-down`
 */
async function openQueue(
  given: string | undefined,
  store: string,
  options: RedisQueueOptions,
): Promise<Queue> {
  if (given !== undefined) {
    const { redisQueue } = await import('./redis-queue.ts');
    return redisQueue('--queue', given, options);
  }
  if (!store.startsWith('s3://')) return folderQueue(store, options.leaseSeconds);
  const need = 'a folder, or add --queue: a bucket alone cannot hand out batches';
  throw badPlace({ option: '--store', given: store, need });
}
