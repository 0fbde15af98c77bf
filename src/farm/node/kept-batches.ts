import { ParanoiaError } from '../../base/errors.ts';
import { type CaseResult, plannedText } from '../../evidence/case-result.ts';
import { formatCount } from '../../report/numbers.ts';
import type { KeptCampaign, KeptRun } from '../../run/keeper.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import type { CaseBudget } from '../../run/spending.ts';
import type { Store } from '../queue.ts';
import type { StoredCampaign } from '../stored.ts';
import type { Batch, WorkCase } from '../work.ts';
import { addBatch, type BatchRecord, readBatch } from './batch-files.ts';
import { remainingOf } from './batch-progress.ts';
import { campaignsOf } from './campaign-file.ts';

interface StoreRunOptions {
  readonly store: Store;
  readonly campaign: StoredCampaign;
  readonly machine: string;
  readonly run: KeptRun;
  readonly batches: readonly Batch[];
  readonly say: (sentence: string) => void;
  /** Called if finished results could not be stored; the run goes on. */
  readonly onLost: (error: ParanoiaError) => void;
}

/** Reads and writes the batches of a campaign in a store. */
export function openKeptBatches(options: StoreRunOptions): KeptCampaign {
  const { store, campaign, machine, run, batches, say, onLost } = options;
  const places = batches.flatMap((batch) => batch.places ?? []).sort((x, y) => x - y);
  const indices = new Map(places.map((place, index) => [place, index]));
  const read = (batch: Batch) => readBatch(store, batch, machine, campaign.cases);
  let isLost = false;
  const write = async (batch: Batch, found: BatchRecord) => {
    if (isLost) return;
    try {
      const differs = await addBatch(store, batch, machine, campaign, found);
      if (differs !== undefined) onLost(differs);
    } catch (error) {
      if (!(error instanceof ParanoiaError)) throw error;
      isLost = true;
      onLost(error);
    }
  };
  let saidBefore = 0;
  const finish = async ({ batch, cases, skipped }: SettledBatch) => {
    const said = run.said.slice(saidBefore);
    saidBefore = run.said.length;
    const seconds = cases.reduce((sum, { judgingSeconds = 0 }) => sum + judgingSeconds, 0);
    await write(batch, { seconds, cases, skipped, said, versions: await run.versions() });
  };
  return {
    places,
    inspects: batches.flatMap(({ inspect }) => (inspect === undefined ? [] : [inspect.kernel])),
    judging: (judgeCases) => async (planned, tell, budget) => {
      const open: Batch[] = [];
      let known = 0;
      for (const batch of batches.filter((one) => one.places !== undefined)) {
        const found = await read(batch);
        if (found === undefined) {
          open.push(batch);
          continue;
        }
        const byText = new Map(batch.places?.map((place) => [campaign.cases[place].case, place]));
        for (const result of found.cases) {
          const index = indices.get(byText.get(plannedText(result)) as number) as number;
          budget.spent([planned[index]], result.judgingSeconds ?? 0);
          tell(index, result);
        }
        known += found.cases.length + found.skipped.length;
        run.said.push(...found.said);
      }
      saidBefore = run.said.length;
      if (known > 0)
        say(`${known} of ${formatCount(planned.length, 'case')} are already finished, in ${store.where}.`);
      const order = open.flatMap((batch) => batch.places ?? []);
      const cases = order.map((place) => planned[indices.get(place) as number]);
      const settled = collectBatches(open, campaign.cases, finish);
      const placeOf = new Map(cases.map((value, at) => [value, order[at]]));
      const noted = noting(budget, (value) => settled.leaveOut(placeOf.get(value) as number));
      try {
        return await judgeCases(
          cases,
          (at, result) => {
            tell(indices.get(order[at]) as number, result);
            settled.add(order[at], result);
          },
          noted,
        );
      } finally {
        await settled.finished();
      }
    },
    async inspected(kernel, inspect) {
      const batch = batches.find((one) => one.inspect?.kernel === kernel) as Batch;
      const known = await read(batch);
      if (known?.inspection !== undefined) return known.inspection;
      const start = performance.now();
      const inspection = await inspect();
      // An interrupted inspection is incomplete.
      if (run.stop?.() === true) return inspection;
      const seconds = (performance.now() - start) / 1000;
      await write(batch, { seconds, cases: [], skipped: [], said: [], versions: {}, inspection });
      return inspection;
    },
  };
}

/** A budget that reports each case that it does not afford. */
const noting = (budget: CaseBudget, refused: (value: PlannedCase) => void): CaseBudget => ({
  affords(value) {
    const isAfforded = budget.affords(value);
    if (!isAfforded) refused(value as PlannedCase);
    return isAfforded;
  },
  spent: (...what) => budget.spent(...what),
  begin: (value) => budget.begin(value),
  isOver: () => budget.isOver(),
  leaveOut: (value) => refused(value as PlannedCase),
  state: (kernel) => budget.state(kernel),
  reserve: (planned) => budget.reserve(planned),
  speedOf: (kernel) => budget.speedOf(kernel),
  expects: (value) => budget.expects(value),
});

/** A settled batch: every case of it is judged or left out. */
interface SettledBatch {
  readonly batch: Batch;
  /** Results in the order of the batch. */
  readonly cases: CaseResult[];
  readonly skipped: string[];
}

/** Collects cases into batches, in whatever order they are judged. */
interface BatchCollector {
  add(place: number, result: CaseResult): void;
  leaveOut(place: number): void;
  /** Waits for all work on settled batches. @throws errors of that work */
  finished(): Promise<void>;
}

/** Calls `finish` for each batch once all its cases are settled. @param cases those of the campaign */
function collectBatches(
  batches: readonly Batch[],
  cases: readonly WorkCase[],
  finish: (settled: SettledBatch) => Promise<void>,
): BatchCollector {
  const open = new Map<number, { readonly batch: Batch; readonly left: Set<number> }>();
  for (const batch of batches) {
    const one = { batch, left: new Set(batch.places) };
    for (const place of batch.places ?? []) open.set(place, one);
  }
  const results = new Map<number, CaseResult>();
  const finishing: Promise<void>[] = [];
  const settle = (place: number) => {
    const one = open.get(place);
    if (one === undefined || !one.left.delete(place) || one.left.size > 0) return;
    const { batch } = one;
    const all = batch.places ?? [];
    const judged = all.flatMap((at) => results.get(at) ?? []);
    const skipped = all.filter((at) => !results.has(at)).map((at) => cases[at].case);
    for (const at of all) results.delete(at);
    const end = finish({ batch, cases: judged, skipped });
    end.catch(() => {});
    finishing.push(end);
  };
  return {
    add(place, result) {
      results.set(place, result);
      settle(place);
    },
    leaveOut: settle,
    async finished() {
      await Promise.all(finishing);
    },
  };
}

/**
 * Reports an unfinished campaign of the same sources when a new one begins. Draws change with the date, so yesterday's run does
 * not continue by itself.
 */
export async function sayUnfinished(
  store: Store,
  { id, sources, seed, fuzz }: StoredCampaign,
  say: (sentence: string) => void,
): Promise<void> {
  for (const other of await campaignsOf(store)) {
    if (other.id === id || other.sources !== sources || other.seed === seed) continue;
    // A campaign of other cases is not an earlier day's run of this one.
    if ((other.fuzz === undefined) !== (fuzz === undefined)) continue;
    const { done, left } = await remainingOf(store, other);
    if (left.length === 0 || done.length === 0) continue;
    say(
      `${store.where} has an unfinished run of these kernels: ${done.length} of ${done.length + left.length} batches, seed ${other.seed}. To continue it: --seed ${other.seed}`,
    );
  }
}
