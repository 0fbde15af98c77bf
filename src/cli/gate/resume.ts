import { VERSION } from '../../base/version.ts';
import { campaignOf, limitFor, seedOf } from '../../config/campaign-of.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import type { CampaignAbout } from '../../farm/node/campaign-file.ts';
import { type StoreKeeper, storeKeeper } from '../../farm/node/keeper.ts';
import { openStore } from '../../farm/node/open-store.ts';
import type { Store } from '../../farm/store.ts';
import { say } from '../say.ts';
import { replayParts } from './carry-out.ts';
import type { GateRequest } from './options.ts';
import type { GatePlan } from './plan.ts';

/** Where what is finished is kept unless a folder is named. */
export const STORE = 'reports/store';

/** The store that an option names, or the usual one. @throws ParanoiaError `store-unusable`, `bad-place`, `missing-option` */
export const storeOf = (option: string, given: string | true | undefined, isMade = true): Promise<Store> =>
  openStore(option, given === undefined || given === true ? STORE : given, isMade);

/**
 * Keeps what a gate finishes where `--resume` says.
 * @throws ParanoiaError those of stores
 */
export async function keeperOf(plan: GatePlan, request: GateRequest): Promise<StoreKeeper> {
  const store = await storeOf('--resume', request.resume);
  return storeKeeper({ store, about: aboutCampaign(plan, request), shard: plan.shard, say });
}

/** What is known of the campaign of a plan before a machine is open. */
export function aboutCampaign(plan: GatePlan, request: GateRequest): CampaignAbout {
  const { options, catalogue, isNamed, thin, notes } = plan;
  const files = plan.sources();
  const version = VERSION;
  return {
    ...{ version, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' ') },
    seed: seedOf(campaignOf(options)),
    ...{ sources: digestOfSources(version, files), files, thresholds: options.thresholds, catalogue },
    budget: isNamed ? undefined : limitFor(options),
    waivers: (options.waivers ?? []).map(({ check, ...waiver }) => ({
      ...waiver,
      ...(check === undefined ? {} : { check }),
    })),
    ...{ thin: [...thin], notes: [...notes], replay: replayParts(plan, request) },
  };
}
