import { sha256 } from '../../base/canonical.ts';
import type { ParanoiaError } from '../../base/errors.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { lookUp } from '../../base/objects.ts';
import { plannedText } from '../../evidence/case-result.ts';
import type { Baselines } from '../../run/baselines.ts';
import type { JobMachine } from '../../run/node/job-process.ts';
import { badStored, batchesDiffer } from '../messages.ts';
import type { Store } from '../queue.ts';
import { difference } from '../same-results.ts';
import {
  nameOf,
  SCHEMAS,
  type StoredBatch,
  type StoredCampaign,
  type StoredMachine,
  storedBatch,
  storedMachine,
} from '../stored.ts';
import { type Batch, batchKey, type WorkCase } from '../work.ts';
import { packFile, readStoredFile, storedText } from './pack-file.ts';

export type BatchRecord = Omit<StoredBatch, 'schema' | 'key' | 'batch' | 'machine' | 'createdAt'>;

/**
 * Reads the results of a batch on a machine.
 * @returns undefined if there are none
 * @throws ParanoiaError `bad-stored` if the file is not of this batch; `newer-stored`, `store-unusable`
 */
export async function readBatch(
  store: Store,
  batch: Batch,
  machine: string,
  cases: readonly WorkCase[],
): Promise<StoredBatch | undefined> {
  const key = await batchKey(batch.id, machine);
  const name = nameOf.batch(key);
  const found = await readStoredFile(store, name, storedBatch, SCHEMAS.batch);
  if (found === undefined) return undefined;
  const refuse = (why: string) => badStored({ file: `${store.where}/${name}`, why });
  if (found.key !== key || found.batch !== batch.id || found.machine !== machine)
    throw refuse('its batch or machine does not match its name');
  const texts = new Set((batch.places ?? []).map((at) => cases[at].case));
  const told = [...found.cases.map(plannedText), ...found.skipped];
  const isWhole =
    told.length === texts.size && told.every((text) => texts.has(text)) && new Set(told).size === texts.size;
  if (!isWhole) throw refuse('its cases do not match its batch');
  if (batch.inspect !== undefined && !isInspected(found)) throw refuse('its inspection is missing');
  if (batch.fuzz !== undefined && (found.fuzz ?? found.uninspected) === undefined)
    throw refuse('its drawn cases are missing');
  return found;
}

const isInspected = ({ inspection, uninspected }: StoredBatch) => (inspection ?? uninspected) !== undefined;

/**
 * Writes the results of a batch, unless some are stored already.
 * @returns an error if the stored results differ: the new ones are then kept beside them
 * @throws ParanoiaError `store-unwritable`, and as {@link readBatch}
 */
export async function addBatch(
  store: Store,
  batch: Batch,
  machine: string,
  { cases, unsteady }: Pick<StoredCampaign, 'cases' | 'unsteady'>,
  found: BatchRecord,
): Promise<ParanoiaError | undefined> {
  const key = await batchKey(batch.id, machine);
  const about = { key, batch: batch.id, machine, createdAt: new Date().toISOString() };
  const all = { schema: SCHEMAS.batch, ...about, ...found } satisfies StoredBatch;
  const bytes = await packFile(all);
  if (await store.add(nameOf.batch(key), bytes)) return undefined;
  const first = (await readBatch(store, batch, machine, cases)) as StoredBatch;
  const mine = JSON.parse(storedText(all)) as StoredBatch;
  const what = difference(first, mine, unsteady);
  if (what === undefined) return undefined;
  const other = nameOf.other(key, sha256Sync(bytes));
  await store.add(other, bytes);
  return batchesDiffer({ file: `${store.where}/${nameOf.batch(key)}`, other, what });
}

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
