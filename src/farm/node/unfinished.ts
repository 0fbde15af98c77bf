import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import { campaignsOf } from './campaign-file.ts';
import { remainingOf } from './remaining.ts';

/**
 * Says of a campaign that is begun that another of the same sources is not finished: what is drawn changes with the date, so that a
 * run of yesterday does not go on by itself.
 */
export async function sayUnfinished(
  store: Store,
  { id, sources, seed, fuzz }: StoredCampaign,
  say: (sentence: string) => void,
): Promise<void> {
  for (const other of await campaignsOf(store)) {
    if (other.id === id || other.sources !== sources || other.seed === seed) continue;
    // Of other cases it is no earlier day's.
    if ((other.fuzz === undefined) !== (fuzz === undefined)) continue;
    const { done, left } = await remainingOf(store, other);
    if (left.length === 0 || done.length === 0) continue;
    say(
      `${store.where} has ${done.length} of ${done.length + left.length} batches of the same kernels with the seed ${other.seed}: --seed ${other.seed} goes on with them.`,
    );
  }
}
