import type { ParanoiaError } from '../../base/errors.ts';
import { isDevice } from '../../gpu/device.ts';
import type { Keeper } from '../../run/keeper.ts';
import { probeMachine } from '../../run/probe-machine.ts';
import type { Shard } from '../../run/shard.ts';
import { dealToShards } from '../cut.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch } from '../work.ts';
import { type CampaignFacts, storeCampaign } from './campaign-file.ts';
import { openKeptBatches } from './kept-batches.ts';
import { addMachine } from './machine-file.ts';
import { sayUnfinished } from './unfinished.ts';

/** Options of keeping a run in a store. */
export interface KeeperOptions {
  readonly store: Store;
  readonly about: CampaignFacts;
  /** The shard to run: a part of the campaign's batches, not of its cases. */
  readonly shard?: Shard | undefined;
  /** Called with a sentence on what is known from earlier runs. */
  readonly say: (sentence: string) => void;
}

/** A keeper that reports results it could not store. */
export interface StoreKeeper extends Keeper {
  /** The reason why some results are not in the store, if any are missing. */
  lost(): ParanoiaError | undefined;
}

/** Keeps the batches of a run in a store, and reads finished ones from it. */
export function storeKeeper({ store, about, shard, say }: KeeperOptions): StoreKeeper {
  let lost: ParanoiaError | undefined;
  return {
    lost: () => lost,
    async open(run) {
      const { planned, machine } = run;
      const { campaign, isNew } = await storeCampaign(store, planned, about, machine);
      if (isNew) await sayUnfinished(store, campaign, say);
      const answers = isDevice(machine) ? { probe: await probeMachine(machine) } : {};
      const key = await addMachine(store, campaign, { ...machine, ...answers }, planned.baselines);
      return openKeptBatches({
        ...{ store, campaign, machine: key, run, say, batches: ownBatches(campaign, shard) },
        onLost(error) {
          lost ??= error;
        },
      });
    },
  };
}

/** The batches of a shard, or all batches without one. */
function ownBatches({ batches }: StoredCampaign, shard: Shard | undefined): Batch[] {
  const all = batches as Batch[];
  if (shard === undefined) return all;
  const shards = dealToShards(all, shard.of);
  return all.filter((_, at) => shards[at] === shard.index);
}
