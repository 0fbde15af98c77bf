import { badPlace } from '../messages.ts';
import type { Queue } from '../queue.ts';
import { folderQueue } from './folder-queue.ts';
import type { RedisQueueOptions } from './redis-queue.ts';

/**
 * Opens the queue at an address, `redis://…`; without one, that of the store, if it is a folder.
 * @throws ParanoiaError `bad-place`, `peer-missing`, `queue-down`
 */
export async function openQueue(
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
