import type { CaseResult } from '../../evidence/case-result.ts';
import type { Queue, QueueState } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import { readBatch } from './batch-files.ts';
import { remainingOf } from './batch-progress.ts';
import { machinesOf } from './machine-file.ts';

/** The current state of a campaign. */
export interface CampaignState {
  readonly done: number;
  readonly batches: number;
  readonly state: QueueState;
  /** Failures since the last check. */
  readonly failures: readonly CaseResult[];
}

/** Returns a function that checks a campaign's state. @throws ParanoiaError of the store or the queue */
export function createStateReader(
  store: Store,
  queue: Queue,
  campaign: StoredCampaign,
): () => Promise<CampaignState> {
  const seen = new Set<Batch>();
  return async () => {
    const { done, left } = await remainingOf(store, campaign);
    const machines = await machinesOf(store, campaign.id);
    const failures: CaseResult[] = [];
    for (const batch of done) {
      if (seen.has(batch)) continue;
      seen.add(batch);
      for (const machine of machines) {
        const found = await readBatch(store, batch, machine, campaign.cases);
        failures.push(...(found?.cases ?? []).filter(({ verdict }) => verdict === 'fail'));
      }
    }
    return {
      ...{ done: done.length, batches: done.length + left.length, failures },
      state: await queue.state(campaign.id),
    };
  };
}
