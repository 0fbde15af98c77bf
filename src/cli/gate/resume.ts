import { say } from '../../base/node/say.ts';
import { VERSION } from '../../base/version.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import type { CampaignFacts } from '../../farm/node/campaign-file.ts';
import { type StoreKeeper, storeKeeper } from '../../farm/node/keeper.ts';
import { storeOf } from '../../farm/node/open-store.ts';
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
