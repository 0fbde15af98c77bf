import type { ParanoiaError } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { VERSION } from '../../base/version.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import { addMachine } from '../../farm/node/batch-files.ts';
import { type CampaignFacts, storeCampaign } from '../../farm/node/campaign-file.ts';
import { openKeptBatches, sayUnfinished } from '../../farm/node/kept-batches.ts';
import { storeOf } from '../../farm/node/open-store.ts';
import type { Store } from '../../farm/queue.ts';
import type { StoredCampaign } from '../../farm/stored.ts';
import { type Batch, dealToShards } from '../../farm/work.ts';
import { isDevice } from '../../gpu/device.ts';
import type { Keeper } from '../../run/keeper.ts';
import { probeMachine } from '../../run/probe-machine.ts';
import type { Shard } from '../../run/shard.ts';
import { replayParts } from './carry-out.ts';
import type { GateRequest } from './options.ts';
import type { GatePlan } from './plan.ts';

/**
 * Opens the store of `--resume` for the results of a gate.
 * @throws ParanoiaError those of stores
 */
export async function keeperOf(plan: GatePlan, request: GateRequest): Promise<StoreKeeper> {
  const store = await storeOf('--resume', request.resume);
  return storeKeeper({ store, about: aboutCampaign(plan, request), shard: plan.shard, say });
}

/** Facts about the campaign of a plan, known before a machine is open. */
export function aboutCampaign(plan: GatePlan, request: GateRequest): CampaignFacts {
  const { options, catalog, isNamed, thin, notes } = plan;
  const files = plan.sources();
  const version = VERSION;
  return {
    ...{ version, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' ') },
    seed: plan.seed,
    ...{ sources: digestOfSources(version, files), files, thresholds: options.thresholds, catalog },
    budget: isNamed ? undefined : plan.limit,
    waivers: (options.waivers ?? []).map(({ check, ...waiver }) => ({
      ...waiver,
      ...(check === undefined ? {} : { check }),
    })),
    ...{ thin: [...thin], notes: [...notes], replay: replayParts(plan, request) },
  };
}

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
