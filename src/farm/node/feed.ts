import type { Queue, QueueState } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { type Remaining, remainingOf } from './remaining.ts';

/** Whom a campaign is handed out to. */
export interface FeedOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly campaign: StoredCampaign;
  readonly stopped: AbortSignal;
  /** Told how far it is, again and again. */
  readonly onLook?: (remaining: Remaining, state: QueueState) => void;
}

/** Batches that wait in a queue, for each worker and at least. */
const [EACH, LEAST] = [3, 4];
/** Milliseconds between looks. */
const LOOK = 1000;

/** Says that a campaign is there, with what a worker needs to know whether it is its own. */
export const announce = (
  queue: Queue,
  { id, version, sources, thresholds, batches }: StoredCampaign,
): Promise<void> => queue.announce({ id, version, sources, thresholds, batches: batches.length });

/**
 * Offers the batches of a campaign as workers get on, so that a queue holds few of them, until all are in the store: then the queue
 * forgets them. What a broker forgets, because it was ended, is offered again.
 * @returns what is left where it is stopped.
 */
export async function feed({ store, queue, campaign, stopped, onLook }: FeedOptions): Promise<Remaining> {
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

/** Waits, or ends at once where it is stopped. */
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
