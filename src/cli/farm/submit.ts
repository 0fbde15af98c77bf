import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { remainingOf } from '../../farm/node/batch-progress.ts';
import { shortId, storeCampaign } from '../../farm/node/campaign-file.ts';
import { announce, feed } from '../../farm/node/feed.ts';
import { sayUnfinished } from '../../farm/node/kept-batches.ts';
import { openFarm } from '../../farm/node/open-farm.ts';
import type { QueueState, Store } from '../../farm/queue.ts';
import { casesIn, type StoredCampaign } from '../../farm/stored.ts';
import type { KernelSpeed } from '../../farm/work.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { formatCount } from '../../report/numbers.ts';
import { campaignOn, kernelsOf } from '../../run/campaign-on.ts';
import { openJudges } from '../../run/judge.ts';
import { readBaselines } from '../../run/node/baseline-file.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import { findStoredFolder } from '../../run/node/stored-folder.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { Scheduler } from '../../run/scheduler.ts';
import { countCaseProducts } from '../../run/spending.ts';
import { campaignOptions } from '../gate/carry-out.ts';
import { type GatePlan, planGate } from '../gate/plan.ts';
import { aboutCampaign } from '../gate/resume.ts';
import { abortOnSignal } from '../stopper.ts';
import { batchesText, type SubmitRequest } from './options.ts';

/**
 * Stores a campaign, and feeds it to a broker until it is done.
 * @returns the exit code: inconclusive if it is ended earlier
 */
export async function runSubmit(request: SubmitRequest): Promise<number> {
  const { fuzz } = request;
  const plan = fuzz === undefined ? await planGate(request) : undefined;
  if (plan === undefined && fuzz === undefined) return EXIT.pass;
  const { store, queue } = await openFarm(request, true);
  const stop = abortOnSignal();
  try {
    const campaign =
      plan === undefined
        ? await (await import('./draw.ts')).planDraws(request, fuzz as number, store)
        : await planned(plan, request, store);
    const { id, batches } = campaign;
    const where = `${store.where}${request.queue === undefined ? '' : ` and ${queue.where}`}`;
    process.stdout.write(
      `Campaign ${shortId(id)}: ${formatCount(casesIn(campaign), plan === undefined ? 'drawn case' : 'case')} in ${batchesText(batches.length)}, in ${where}.\n`,
    );
    if (!queue.isFed) {
      const { left } = await remainingOf(store, campaign);
      await queue.offer(
        id,
        left.map((batch) => batch.id),
      );
      return EXIT.pass;
    }
    await announce(queue, campaign);
    const told = quarters(batches.length);
    const { left } = await feed({
      ...{ store, queue, campaign, stopped: stop.signal },
      onLook: ({ done }, state) => told(done.length, state),
    });
    if (left.length > 0) {
      say(`Left: ${left.length} of ${batchesText(batches.length)}. Run the same command to continue.`);
      return EXIT.inconclusive;
    }
    process.stdout.write(`Done: ${batchesText(batches.length)}. Next: gemm-paranoia farm collect\n`);
    return EXIT.pass;
  } finally {
    await queue.close();
    stop.release();
  }
}

/** Plans a campaign on this machine, as a gate would, and stores it. */
async function planned(plan: GatePlan, request: SubmitRequest, store: Store): Promise<StoredCampaign> {
  const { asked, sample, catalog, options } = plan;
  const folder = findStoredFolder('baselines', options.baselines);
  const how = campaignOptions(plan, request, (id) => readBaselines(folder, id));
  const opened = await openNodeMachine(kernelsOf([...asked, ...sample]), how);
  const judges = openJudges(opened, { processor: openExactPool() });
  try {
    const found = await campaignOn(opened, how);
    const scheduler = new Scheduler({ ...judges.options, machine: opened.machine });
    const speeds = await measuredSpeeds(found.cases, scheduler, catalog);
    const about = aboutCampaign(plan, request);
    const { campaign, isNew } = await storeCampaign(store, found, about, opened.machine, speeds);
    if (isNew) await sayUnfinished(store, campaign, say);
    else say('The campaign was submitted before: finished batches are kept.');
    return campaign;
  } finally {
    await judges.close();
  }
}

const STEPS = 10;

/** Returns a function that reports the progress in tenths. */
function quarters(batches: number): (done: number, state: QueueState) => void {
  let last = -1;
  return (done, { workers, active }) => {
    const step = Math.floor((STEPS * done) / batches);
    if (step === last) return;
    last = step;
    say(
      `${done} of ${batchesText(batches)} done, ${active} running on ${formatCount(workers ?? 0, 'worker')}.`,
    );
  };
}

/** The most multiplications of a case that a kernel is timed on. */
const TIMED = 2 ** 22;
/** Seconds of overhead a case, and the shortest time of a product. */
const [OVERHEAD, SHORTEST] = [0.002, 1e-4];

/** Measures the speeds of external kernels here: each judges one of its larger cases, once to warm up and once timed. */
export async function measuredSpeeds(
  cases: readonly PlannedCase[],
  judge: Pick<Scheduler, 'one'>,
  catalog: Pick<KernelCatalog, 'external'>,
): Promise<Map<string, KernelSpeed>> {
  const timed = new Map<string, PlannedCase>();
  for (const value of cases) {
    if (catalog.external(value.kernel) === undefined || countCaseProducts(value) > TIMED) continue;
    const before = timed.get(value.kernel);
    if (before === undefined || countCaseProducts(before) < countCaseProducts(value))
      timed.set(value.kernel, value);
  }
  const speeds = new Map<string, KernelSpeed>();
  for (const [kernel, value] of timed) {
    await judge.one(value);
    const start = performance.now();
    await judge.one(value);
    const seconds = Math.max(SHORTEST, (performance.now() - start) / 1000);
    speeds.set(kernel, { overhead: OVERHEAD, rate: Math.max(1, countCaseProducts(value)) / seconds });
  }
  return speeds;
}
