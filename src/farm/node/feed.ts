import type { Queue, QueueState, Store } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import { type BatchProgress, remainingOf } from './batch-progress.ts';

/** Options of handing out a campaign. */
export interface FeedOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  readonly stopped: AbortSignal;
  /** Called with the progress after each check. */
  readonly onLook?: (remaining: BatchProgress, state: QueueState) => void;
}

/** The target number of waiting batches in a queue: for each worker, and the minimum. */
const [EACH, LEAST] = [3, 4];
/** Milliseconds between checks. */
const LOOK = 1000;

/** Announces a campaign, with the facts by which a worker recognizes its own. */
export const announce = (
  queue: Queue,
  { id, version, sources, thresholds, batches }: StoredCampaign,
): Promise<void> => queue.announce({ id, version, sources, thresholds, batches: batches.length });

/**
 * Offers the batches of a campaign as workers finish others, so that a queue holds few, until all are in the store. Then the
 * queue drops the campaign. Batches that a restarted broker has lost are offered again.
 * @returns the remaining batches when it is stopped
 */
export async function feed({ store, queue, campaign, stopped, onLook }: FeedOptions): Promise<BatchProgress> {
  const offered = new Set<string>();
  for (;;) {
    const remaining = await remainingOf(store, campaign);
    const { left } = remaining;
    if (left.length === 0) await queue.withdraw(campaign.id);
    if (left.length === 0 || stopped.aborted) return remaining;
    const state = await queue.state(campaign.id);
    const isIdle = state.waiting + state.active === 0;
    if (isIdle) {
      offered.clear();
      await announce(queue, campaign);
    }
    const room = Math.max(LEAST, EACH * (state.workers ?? 0)) - state.waiting;
    const next = left.filter(({ id }) => !offered.has(id)).slice(0, Math.max(0, room));
    if (next.length > 0)
      await queue.offer(
        campaign.id,
        next.map(({ id }) => id),
      );
    for (const { id } of next) offered.add(id);
    onLook?.(remaining, state);
    await pause(LOOK, stopped);
  }
}

/** Waits, or returns at once when stopped. */
export const pause = (milliseconds: number, stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (stopped.aborted) end();
    else stopped.addEventListener('abort', end);
  });
