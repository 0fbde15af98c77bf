import type { StoredCampaign } from '../stored.ts';
import { type Batch, halvesOf } from '../work.ts';

/** The batches of a campaign by their ids, halves among them. */
export interface BatchIndex {
  /** Undefined where no batch of the campaign, nor a part of one, has this id. */
  find(id: string): Promise<Batch | undefined>;
}

/** They follow from batches, and are asked for again and again. */
const known = new WeakMap<Batch, Promise<Batch[]>>();

/** The halves of a batch; none where it cannot be halved. */
export function halvesIn(campaign: StoredCampaign, batch: Batch): Promise<Batch[]> {
  const found = known.get(batch) ?? halvesOf(batch, campaign, campaign.cases);
  known.set(batch, found);
  return found;
}

/** Finds the batches of a campaign; halves are made when one is asked for that is no whole batch. */
export function batchIndex(campaign: StoredCampaign): BatchIndex {
  const byId = new Map((campaign.batches as Batch[]).map((batch) => [batch.id, batch]));
  let everyHalf: Promise<void> | undefined;
  const addHalves = async (batch: Batch): Promise<void> => {
    for (const half of await halvesIn(campaign, batch)) {
      byId.set(half.id, half);
      await addHalves(half);
    }
  };
  const addAll = async () => {
    for (const batch of campaign.batches as Batch[]) await addHalves(batch);
  };
  return {
    async find(id) {
      if (byId.has(id)) return byId.get(id);
      everyHalf ??= addAll();
      await everyHalf;
      return byId.get(id);
    },
  };
}
