import type { Store } from '../queue.ts';
import { nameOf, type StoredCampaign } from '../stored.ts';
import { type Batch, batchKey, halvesOf, wayOf } from '../work.ts';
import { filterMachines } from './batch-files.ts';

/** The batches of a campaign by state. Done batches are in the store, on any machine: whole, or as a complete set of halves. */
export interface BatchProgress {
  readonly done: readonly Batch[];
  readonly left: readonly Batch[];
}

/** A cache of the files that a batch may be in, one for each machine: they follow from the batch, and are looked up often. */
const namesKnown = new WeakMap<Batch, Map<string, string>>();

/** Compares a campaign with its store. @throws ParanoiaError `store-unusable` */
export async function remainingOf(store: Store, campaign: StoredCampaign): Promise<BatchProgress> {
  const names = new Set(await store.list(''));
  const machines = filterMachines(names, campaign.id);
  const batches = campaign.batches as Batch[];
  const whole = new Set<Batch>();
  let known = 0;
  for (const batch of batches) {
    const own = namesOf(batch, machines);
    const found = ('then' in own ? await own : own).filter((name) => names.has(name)).length;
    if (found > 0) whole.add(batch);
    known += found;
  }
  // If the store has only whole batches, none was halved. Naming all halves of a large campaign is slow.
  const mayHaveHalves = [...names].filter((name) => RESULTS.test(name)).length > known;
  const isDone = async (batch: Batch): Promise<boolean> => {
    if (whole.has(batch)) return true;
    if (!mayHaveHalves) return false;
    if ((await namesOf(batch, machines)).some((name) => names.has(name))) return true;
    const [first, second] = await listHalves(campaign, batch);
    return first !== undefined && (await isDone(first)) && (await isDone(second));
  };
  const [done, left]: [Batch[], Batch[]] = [[], []];
  for (const batch of batches) (whole.has(batch) || (await isDone(batch)) ? done : left).push(batch);
  return { done, left };
}

const RESULTS = /^[0-9a-f]{64}\.json\.gz$/;

function namesOf(batch: Batch, machines: readonly string[]): readonly string[] | Promise<string[]> {
  const known = namesKnown.get(batch) ?? new Map<string, string>();
  namesKnown.set(batch, known);
  if (machines.every((machine) => known.has(machine)))
    return machines.map((machine) => known.get(machine) as string);
  return Promise.all(
    machines.map(async (machine) => {
      const name = known.get(machine) ?? nameOf.batch(await batchKey(batch.id, machine));
      known.set(machine, name);
      return name;
    }),
  );
}

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
