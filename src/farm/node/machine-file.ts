import { lookUp } from '../../base/look-up.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Baselines } from '../../run/baselines.ts';
import type { JobMachine } from '../../run/node/job-process.ts';
import type { Store } from '../store.ts';
import { nameOf, SCHEMAS, type StoredCampaign, type StoredMachine, storedMachine } from '../stored.ts';
import { packFile, readStoredFile } from './pack-file.ts';

/** The baselines of a campaign's cases; others do not affect its results. */
function baselinesOf({ cases }: Pick<StoredCampaign, 'cases'>, { cases: known }: Baselines): unknown[] {
  // Skips the scan: there may be a million cases.
  if (Object.keys(known).length === 0) return [];
  return cases.flatMap(({ case: text }) => {
    const baseline = lookUp(known, text);
    return baseline === undefined ? [] : [[text, baseline]];
  });
}

/** Returns the key of a machine, from its fingerprint, its measured arithmetic, and the baselines of its results. */
function machineKey(
  campaign: Pick<StoredCampaign, 'cases'>,
  { fingerprint, arithmetic }: Pick<JobMachine, 'fingerprint' | 'arithmetic'>,
  baselines: Baselines,
): Promise<string> {
  return sha256(JSON.stringify([fingerprint, arithmetic, baselinesOf(campaign, baselines)]));
}

/** Records in a store that a machine works on a campaign. @returns its key @throws ParanoiaError `store-unwritable` */
export async function addMachine(
  store: Store,
  campaign: Pick<StoredCampaign, 'id' | 'cases'>,
  machine: JobMachine,
  baselines: Baselines,
): Promise<string> {
  const { fingerprint, arithmetic, chosenBecause, probe, notes = [] } = machine;
  const key = await machineKey(campaign, machine, baselines);
  const adapter = {
    ...{ ...fingerprint, chosenBecause },
    ...{ features: [...fingerprint.features], toggles: [...fingerprint.toggles] },
  };
  const about: StoredMachine = {
    ...{ schema: SCHEMAS.machine, key, adapter, arithmetic: { ...arithmetic }, notes: [...notes] },
    ...(probe === undefined ? {} : { probe: [...probe] }),
  };
  await store.add(nameOf.machine(campaign.id, key), await packFile(about));
  return key;
}

/** Lists the keys of machines that work on a campaign. @throws ParanoiaError `store-unusable` */
export async function machinesOf(store: Store, campaign: string): Promise<string[]> {
  return filterMachines(await store.list(nameOf.machines(campaign)), campaign);
}

/** Finds the same keys among the names of a store's files. */
export function filterMachines(names: Iterable<string>, campaign: string): string[] {
  const prefix = nameOf.machines(campaign);
  return [...names]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).replace('.json.gz', ''));
}

/** Reads a machine that worked on a campaign. @throws ParanoiaError `bad-stored`, `newer-stored`, `store-unusable` */
export async function readMachine(store: Store, campaign: string, key: string): Promise<StoredMachine> {
  const name = nameOf.machine(campaign, key);
  const found = await readStoredFile(store, name, storedMachine, SCHEMAS.machine);
  if (found === undefined) throw new Error(`${name} was there before`);
  return found;
}
