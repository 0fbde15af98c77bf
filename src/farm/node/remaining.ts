import type { Store } from '../store.ts';
import { nameOf, type StoredCampaign } from '../stored.ts';
import { type Batch, batchKey } from '../work.ts';
import { halvesIn } from './batch-index.ts';
import { machinesOf } from './machine-file.ts';

/** Which batches of a campaign are in a store, on any machine: whole, or as halves of which all are. */
export interface Remaining {
  readonly done: readonly Batch[];
  readonly left: readonly Batch[];
}

/** They follow from batches, and are asked for again and again. */
const keysKnown = new Map<string, Promise<string>>();

function keyOf(batch: string, machine: string): Promise<string> {
  const both = `${batch} ${machine}`;
  const found = keysKnown.get(both) ?? batchKey(batch, machine);
  keysKnown.set(both, found);
  return found;
}

/** @throws ParanoiaError `store-unusable` */
export async function remainingOf(store: Store, campaign: StoredCampaign): Promise<Remaining> {
  const machines = await machinesOf(store, campaign.id);
  const names = new Set(await store.list(''));
  const isThere = async (batch: Batch): Promise<boolean> => {
    for (const machine of machines) if (names.has(nameOf.batch(await keyOf(batch.id, machine)))) return true;
    return false;
  };
  const [done, left]: [Batch[], Batch[]] = [[], []];
  const mayHaveHalves = await hasOthers(names, campaign, machines);
  const isDone = async (batch: Batch): Promise<boolean> => {
    if (await isThere(batch)) return true;
    if (!mayHaveHalves) return false;
    const [first, second] = await halvesIn(campaign, batch);
    return first !== undefined && (await isDone(first)) && (await isDone(second));
  };
  for (const batch of campaign.batches as Batch[]) ((await isDone(batch)) ? done : left).push(batch);
  return { done, left };
}

const RESULTS = /^[0-9a-f]{64}\.json\.gz$/;

/**
 * Whether a store has results of something else than whole batches. Where it has none nothing was halved: of a large campaign there
 * are as many halves as cases, and to name them all takes longer than to judge some.
 */
async function hasOthers(
  names: ReadonlySet<string>,
  { batches }: StoredCampaign,
  machines: readonly string[],
): Promise<boolean> {
  const whole = new Set<string>();
  for (const { id } of batches)
    for (const machine of machines) whole.add(nameOf.batch(await keyOf(id, machine)));
  return [...names].some((name) => RESULTS.test(name) && !whole.has(name));
}
