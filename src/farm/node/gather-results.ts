import { type CaseResult, plannedText } from '../../evidence/case-result.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import type { RoundFindings } from '../../run/fuzz-round.ts';
import type { Results } from '../../run/results.ts';
import { batchesDiffer } from '../messages.ts';
import type { Store } from '../queue.ts';
import { difference } from '../same-results.ts';
import { nameOf, SCHEMAS, type StoredBatch, type StoredCampaign, storedBatch } from '../stored.ts';
import type { Batch } from '../work.ts';
import { readBatch } from './batch-files.ts';
import { listHalves } from './batch-progress.ts';
import { readStoredFile } from './pack-file.ts';

/** All results of a campaign, without pictures of failures, of which there may be many. */
export interface CampaignResults {
  /** Results by the places of their cases; undefined where there is none. */
  readonly results: (CaseResult | undefined)[];
  readonly skipped: ReadonlySet<number>;
  /** Rounds of drawn cases, by target and round. */
  readonly rounds: ReadonlyMap<string, RoundFindings>;
  readonly said: readonly string[];
  readonly versions: NonNullable<Results['versions']>;
  readonly inspections: readonly Inspection[];
  /** Sentences on kernels whose inspection was not completed. */
  readonly uninspected: readonly string[];
  readonly seconds: number;
  /** The time at which the last batch was written. */
  readonly last: string | undefined;
  /** The number of incomplete batches. */
  readonly missing: number;
  /** Machines whose results these are. */
  readonly machines: ReadonlySet<string>;
  /** The result of a case with its pictures. */
  whole(place: number): Promise<CaseResult | undefined>;
}

interface Found {
  readonly batch: Batch;
  readonly stored: StoredBatch;
}

/**
 * Reads the batches of a campaign one after the other. Each comes from the first of these machines that has it, whole or as halves.
 * @throws ParanoiaError `batches-differ` if a batch has two different results; `bad-stored`, `newer-stored`, `store-unusable`
 */
export async function gatherResults(
  store: Store,
  campaign: StoredCampaign,
  machines: readonly string[],
): Promise<CampaignResults> {
  const results: (CaseResult | undefined)[] = campaign.cases.map(() => undefined);
  const others = (await store.list('')).filter((name) => name.includes('.differs-'));
  const from = new Map<number, readonly [Batch, string]>();
  const about = {
    ...{
      skipped: new Set<number>(),
      rounds: new Map<string, RoundFindings>(),
      said: [] as string[],
      versions: new Map<string, Readonly<Record<string, string>>>(),
      inspections: [] as Inspection[],
    },
    ...{ uninspected: [] as string[], seconds: 0, missing: 0, machines: new Set<string>() },
    last: undefined as string | undefined,
  };
  const add = ({ batch, stored }: Found) => {
    const places = new Map((batch.places ?? []).map((at) => [campaign.cases[at].case, at]));
    for (const { excerpt: _e, maps: _m, ...result } of stored.cases) {
      const place = places.get(plannedText(result)) as number;
      results[place] = result;
      from.set(place, [batch, stored.machine]);
    }
    for (const text of stored.skipped) about.skipped.add(places.get(text) as number);
    about.said.push(...stored.said);
    for (const [kernel, said] of Object.entries(stored.versions ?? {})) about.versions.set(kernel, said);
    if (stored.inspection !== undefined) about.inspections.push(stored.inspection);
    if (stored.fuzz !== undefined && batch.fuzz !== undefined)
      about.rounds.set(roundKey(batch.fuzz), stored.fuzz);
    if (stored.uninspected !== undefined) about.uninspected.push(stored.uninspected);
    about.seconds += stored.seconds;
    about.machines.add(stored.machine);
    if (about.last === undefined || stored.createdAt > about.last) about.last = stored.createdAt;
  };
  const read = async (batch: Batch): Promise<boolean> => {
    for (const machine of machines) {
      const stored = await readBatch(store, batch, machine, campaign.cases);
      if (stored === undefined) continue;
      await requireOne(store, stored, others, campaign);
      add({ batch, stored });
      return true;
    }
    const [first, second] = await listHalves(campaign, batch);
    if (first === undefined) return false;
    // Both are read in any case, to report all known results.
    const both = [await read(first), await read(second)];
    return both.every((isThere) => isThere);
  };
  for (const batch of campaign.batches as Batch[]) if (!(await read(batch))) about.missing++;
  return {
    ...{ ...about, results, versions: Object.fromEntries(about.versions) },
    async whole(place) {
      const [batch, machine] = from.get(place) ?? [];
      if (batch === undefined || machine === undefined) return undefined;
      const stored = await readBatch(store, batch, machine, campaign.cases);
      return stored?.cases.find((result) => plannedText(result) === campaign.cases[place].case);
    },
  };
}

/** Returns the key of {@link CampaignResults.rounds}. */
export const roundKey = ({ target, round }: NonNullable<Batch['fuzz']>): string => `${target} ${round}`;

/** Checks that a batch has no different results. @throws ParanoiaError `batches-differ` */
async function requireOne(
  store: Store,
  stored: StoredBatch,
  others: readonly string[],
  { unsteady }: StoredCampaign,
): Promise<void> {
  const other = others.find((name) => name.startsWith(stored.key));
  if (other === undefined) return;
  const second = await readStoredFile(store, other, storedBatch, SCHEMAS.batch);
  const what = second && difference(stored, second, unsteady);
  if (what !== undefined)
    throw batchesDiffer({ file: `${store.where}/${nameOf.batch(stored.key)}`, other, what });
}
