import type { StoredCampaign } from '../stored.ts';
import { type Batch, halvesOf, wayOf } from '../work.ts';

/** The batches of a campaign and their halves, by their names in a queue. */
export interface BatchIndex {
  /** Finds a batch or a half; undefined if the campaign has none of that name. */
  find(name: string): Promise<Batch | undefined>;
}

/** A cache: halves follow from batches, and are looked up often. */
const known = new WeakMap<Batch, Promise<Batch[]>>();

/** Lists the halves of a batch; none if it cannot be split. */
export function listHalves(campaign: StoredCampaign, batch: Batch): Promise<Batch[]> {
  const found = known.get(batch) ?? halvesOf(batch, campaign, campaign.cases);
  known.set(batch, found);
  return found;
}

/** Indexes the batches of a campaign; halves are made on demand. */
export function batchIndex(campaign: StoredCampaign): BatchIndex {
  const byId = new Map((campaign.batches as Batch[]).map((batch) => [batch.id, batch]));
  return {
    async find(name) {
      const [id, way] = wayOf(name);
      let found = byId.get(id);
      for (const half of way) found = found && (await listHalves(campaign, found))[half];
      return found;
    },
  };
}
