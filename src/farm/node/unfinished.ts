import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { remainingOf } from './batch-progress.ts';
import { campaignsOf } from './campaign-file.ts';

/**
 * Reports an unfinished campaign of the same sources when a new one begins. Draws change with the date, so yesterday's run does
 * not continue by itself.
 */
export async function sayUnfinished(
  store: Store,
  { id, sources, seed, fuzz }: StoredCampaign,
  say: (sentence: string) => void,
): Promise<void> {
  for (const other of await campaignsOf(store)) {
    if (other.id === id || other.sources !== sources || other.seed === seed) continue;
    // A campaign of other cases is not an earlier day's run of this one.
    if ((other.fuzz === undefined) !== (fuzz === undefined)) continue;
    const { done, left } = await remainingOf(store, other);
    if (left.length === 0 || done.length === 0) continue;
    say(
      `${store.where} has an unfinished run of these kernels: ${done.length} of ${done.length + left.length} batches, seed ${other.seed}. To continue it: --seed ${other.seed}`,
    );
  }
}
