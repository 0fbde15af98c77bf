import { sha256 } from '../../base/canonical.ts';
import type { KernelSource } from '../../config/node/sources.ts';
import { listRounds } from '../../fuzz/round.ts';
import type { Machine } from '../../gpu/device.ts';
import { repeatsBits } from '../../kernels/builtin.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { type Case, formatCase } from '../../problem/case.ts';
import type { RunLimit } from '../../run/budget.ts';
import { countRunsIn, type RoundsPlan } from '../../run/fuzz-round.ts';
import type { PlannedCampaign } from '../../run/keeper.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { noCampaign, severalCampaigns } from '../messages.ts';
import type { Store } from '../queue.ts';
import { casesIn, nameOf, SCHEMAS, type StoredCampaign, storedCampaign } from '../stored.ts';
import {
  type Batch,
  batchId,
  cutIntoBatches,
  type KernelSpeed,
  type WorkCase,
  type WorkUnit,
} from '../work.ts';
import { packFile, readStoredFile } from './pack-file.ts';

/** Facts of a campaign that a command knows before it opens a machine. */
export interface CampaignFacts
  extends Pick<
    StoredCampaign,
    'version' | 'command' | 'seed' | 'thresholds' | 'waivers' | 'thin' | 'replay' | 'notes'
  > {
  readonly sources: string;
  readonly files: readonly KernelSource[];
  readonly budget?: RunLimit | undefined;
  readonly catalog: Pick<KernelCatalog, 'external' | 'algorithms'>;
}

/** Speeds of kernels that were not measured: seconds of overhead a case, and multiplications a second. */
const USUAL = {
  hardware: { overhead: 0.01, rate: 1e11 },
  software: { overhead: 0.03, rate: 5e8 },
  external: { overhead: 0.005, rate: 2e8 },
} as const satisfies Record<string, KernelSpeed>;
/** The expected seconds of an inspection. */
const INSPECTION = 5;

/**
 * Returns a campaign as stored, or cuts and stores it.
 * @param speeds measured speeds of kernels
 * @throws ParanoiaError `store-unwritable`, `store-unusable`, `bad-stored`, `newer-stored`
 */
export async function storeCampaign(
  store: Store,
  planned: PlannedCampaign,
  about: CampaignFacts,
  machine: Pick<Machine, 'fingerprint'>,
  speeds: ReadonlyMap<string, KernelSpeed> = new Map(),
): Promise<{ campaign: StoredCampaign; isNew: boolean }> {
  const { id } = planned.about;
  const there = await readCampaign(store, id);
  if (there !== undefined) return { campaign: there, isNew: false };
  const { catalog, sources, files, budget, ...rest } = about;
  const cases = planned.cases.map(workCase);
  const usual = (kernel: string): KernelSpeed =>
    catalog.external(kernel) === undefined ? USUAL[machine.fingerprint.kind] : USUAL.external;
  const shared = { sources, thresholds: about.thresholds, budget, seed: about.seed };
  const works: (WorkUnit & { seconds: number })[] = [
    ...cutIntoBatches(planned.cases, (kernel) => speeds.get(kernel) ?? usual(kernel)),
    ...planned.inspected.map((inspect) => ({ inspect, seconds: INSPECTION })),
  ];
  const batches = await Promise.all(
    works.map(async (work): Promise<Batch> => ({ id: await batchId(shared, cases, work), ...work })),
  );
  const campaign: StoredCampaign = {
    ...{ schema: SCHEMAS.campaign, id, createdAt: new Date().toISOString(), ...rest },
    ...{ sources, files: [...files], whole: planned.about.whole, cases },
    ...(budget === undefined ? {} : { budget }),
    batches: batches as StoredCampaign['batches'],
    unsteady: [...new Set(planned.cases.map(({ kernel }) => kernel))].filter(
      (kernel) => !isSteady(kernel, catalog),
    ),
    thin: [...about.thin, ...(planned.about.lacks ?? [])],
    notes: [...about.notes, ...planned.notes],
  };
  // If another process was first, its batches are shared by all.
  const isNew = await store.add(nameOf.campaign(id), await packFile(campaign));
  return { campaign: (await readCampaign(store, id)) as StoredCampaign, isNew };
}

function isSteady(
  kernel: string,
  { external, algorithms }: Pick<KernelCatalog, 'external' | 'algorithms'>,
): boolean {
  const spec = external(kernel);
  return spec === undefined ? repeatsBits(kernel, algorithms) : spec.claims?.deterministic !== false;
}

function workCase({ after, series, detailed, needed, ...value }: PlannedCase): WorkCase {
  return {
    case: formatCase(value as Case),
    ...(after === undefined || after.length === 0 ? {} : { after: after.map(formatCase) }),
    ...(series ? { series } : {}),
    ...(detailed === true ? { detailed } : {}),
    ...(needed === true ? { needed } : {}),
  };
}

/** Facts of a campaign of drawn cases that a command knows. */
export type FuzzCampaignFacts = Omit<CampaignFacts, 'budget' | 'catalog' | 'thin' | 'waivers'> & {
  readonly plan: RoundsPlan;
  /** The catalog, which tells kernels that do not claim reproducible bits. */
  readonly catalog: Pick<KernelCatalog, 'external' | 'algorithms'>;
};

/** The expected seconds of a drawn case. */
const DRAWN = 0.02;

/**
 * Returns a campaign of drawn cases as stored, or cuts and stores it: a batch for each round of each kernel.
 * @throws ParanoiaError as {@link storeCampaign} does
 */
export async function storeFuzzCampaign(
  store: Store,
  { plan, catalog, sources, files, ...rest }: FuzzCampaignFacts,
): Promise<{ campaign: StoredCampaign; isNew: boolean }> {
  const shared = { sources, thresholds: rest.thresholds, seed: rest.seed, fuzz: plan };
  const batches = await Promise.all(
    listRounds(plan).map(async (fuzz) => ({
      ...{ id: await batchId(shared, [], { fuzz }), fuzz },
      seconds: DRAWN * countRunsIn(plan, fuzz.round),
    })),
  );
  const id = await sha256(JSON.stringify(batches.map((batch) => batch.id)));
  const there = await readCampaign(store, id);
  if (there !== undefined) return { campaign: there, isNew: false };
  const campaign: StoredCampaign = {
    ...{ schema: SCHEMAS.campaign, id, createdAt: new Date().toISOString(), ...rest },
    ...{ sources, files: [...files], whole: true, cases: [], fuzz: plan, batches },
    unsteady: plan.targets.map(({ kernel }) => kernel).filter((kernel) => !isSteady(kernel, catalog)),
    ...{ waivers: [], thin: [] },
  };
  const isNew = await store.add(nameOf.campaign(id), await packFile(campaign));
  return { campaign: (await readCampaign(store, id)) as StoredCampaign, isNew };
}

/** Reads a campaign. @throws ParanoiaError `bad-stored`, `newer-stored`, `store-unusable` */
export const readCampaign = (store: Store, id: string): Promise<StoredCampaign | undefined> =>
  readStoredFile(store, nameOf.campaign(id), storedCampaign, SCHEMAS.campaign);

/** Reads all campaigns of a store, the newest first. @throws as {@link readCampaign} */
export async function campaignsOf(store: Store): Promise<StoredCampaign[]> {
  const found: StoredCampaign[] = [];
  for (const name of await store.list(nameOf.prefix)) {
    const campaign = await readCampaign(store, name.slice(nameOf.prefix.length).replace('.json.gz', ''));
    if (campaign !== undefined) found.push(campaign);
  }
  return found.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/**
 * Returns the campaign of a store whose id begins with a text, or the only one.
 * @throws ParanoiaError `no-campaign`, `several-campaigns`, and as {@link readCampaign}
 */
export async function chooseCampaign(store: Store, asked: string | undefined): Promise<StoredCampaign> {
  const all = await campaignsOf(store);
  const fitting = all.filter(({ id }) => id.startsWith(asked ?? ''));
  if (fitting.length === 0) throw noCampaign({ store: store.where, asked });
  if (fitting.length === 1) return fitting[0];
  throw severalCampaigns({ store: store.where, known: fitting.map(sayCampaign) });
}

/** The number of digits by which ids of campaigns are told apart. */
const SHOWN = 12;

/** Returns the beginning of an id, which `--campaign` takes. */
export const shortId = (id: string): string => id.slice(0, SHOWN);

const sayCampaign = (campaign: StoredCampaign): string => {
  const { id, seed, createdAt, fuzz } = campaign;
  const kind = fuzz === undefined ? 'cases' : 'drawn cases';
  return `${shortId(id)} of ${createdAt.slice(0, 16)}, ${casesIn(campaign)} ${kind}, seed ${seed}`;
};
