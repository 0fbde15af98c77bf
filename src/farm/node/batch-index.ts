import type { StoredCampaign } from '../stored.ts';
import { type Batch, halvesOf, wayOf } from '../work.ts';

/** The batches of a campaign by what a queue calls them, halves among them. */
export interface BatchIndex {
  /** Undefined where no batch of the campaign, nor a part of one, is called so. */
  find(name: string): Promise<Batch | undefined>;
}

/** They follow from batches, and are asked for again and again. */
const known = new WeakMap<Batch, Promise<Batch[]>>();

/** The halves of a batch; none where it cannot be halved. */
export function halvesIn(campaign: StoredCampaign, batch: Batch): Promise<Batch[]> {
  const found = known.get(batch) ?? halvesOf(batch, campaign, campaign.cases);
  known.set(batch, found);
  return found;
}

/** Finds the batches of a campaign; halves are made when they are asked for. */
export function batchIndex(campaign: StoredCampaign): BatchIndex {
  const byId = new Map((campaign.batches as Batch[]).map((batch) => [batch.id, batch]));
  return {
    async find(name) {
      const [id, way] = wayOf(name);
      let found = byId.get(id);
      for (const half of way) found = found && (await halvesIn(campaign, found))[half];
      return found;
    },
  };
}
