import { EXIT } from '../../base/errors.ts';
import { toOneLine } from '../../base/printable.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { machinesOf, readBatch } from '../../farm/node/batch-files.ts';
import { remainingOf } from '../../farm/node/batch-progress.ts';
import { chooseCampaign, shortId } from '../../farm/node/campaign-file.ts';
import { pause } from '../../farm/node/feed.ts';
import { openFarm } from '../../farm/node/open-farm.ts';
import type { Queue, QueueState, Store } from '../../farm/queue.ts';
import { casesIn, type StoredCampaign } from '../../farm/stored.ts';
import type { Batch } from '../../farm/work.ts';
import { failureLine } from '../../pages/failure.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { CLEAR } from '../../pages/progress.ts';
import { formatCount, formatDuration } from '../../report/numbers.ts';
import { abortOnSignal } from '../stopper.ts';
import { batchesText, type WatchRequest } from './options.ts';

/** Milliseconds between checks. */
const LOOK = 2000;
/** The number of failures that are printed as they come; others are counted. */
const SHOWN = 20;

/** Shows the progress of a campaign, and its failures as they come, until it is done. @returns the exit code */
export async function runFarmWatch(request: WatchRequest): Promise<number> {
  const { store, queue } = await openFarm(request, false);
  const stop = abortOnSignal();
  const { stdout } = process;
  const look = lookFor(stdout);
  try {
    const campaign = await chooseCampaign(store, request.campaign);
    const see = createStateReader(store, queue, campaign);
    stdout.write(
      `Campaign ${shortId(campaign.id)}, ${formatCount(casesIn(campaign), 'case')}, seed ${campaign.seed}\n`,
    );
    let last = '';
    let failed = 0;
    while (!stop.signal.aborted) {
      const sight = await see();
      const shown = sight.failures.slice(0, Math.max(0, SHOWN - failed));
      failed += sight.failures.length;
      const line = describe(sight, failed);
      const isDone = sight.done === sight.batches;
      const failures = shown.map((result) => `${failureLine(result, look)}\n`).join('');
      if (stdout.isTTY)
        stdout.write(`${CLEAR}${failures}${toOneLine(line, look.width - 1)}${isDone ? '\n' : ''}`);
      else if (line !== last || failures !== '') stdout.write(`${failures}${line}\n`);
      last = line;
      if (isDone || request.once === true) return isDone ? EXIT.pass : EXIT.inconclusive;
      await pause(LOOK, stop.signal);
    }
    return EXIT.inconclusive;
  } finally {
    await queue.close();
    stop.release();
  }
}

function describe(
  { done, batches, state: { waiting, active, workers, oldest } }: CampaignState,
  failed: number,
): string {
  const lease = oldest === undefined ? '' : `, the oldest for ${formatDuration(oldest)}`;
  const people = workers === undefined ? '' : ` on ${formatCount(workers, 'worker')}`;
  const wrong = failed === 0 ? '' : `, ${formatCount(failed, 'case')} failed`;
  return `${done} of ${batchesText(batches)} done${wrong}, ${waiting} waiting, ${active} running${people}${lease}`;
}

export interface CampaignState {
  readonly done: number;
  readonly batches: number;
  readonly state: QueueState;
  /** Failures since the last check. */
  readonly failures: readonly CaseResult[];
}

/** Returns a function that checks a campaign's state. @throws ParanoiaError of the store or the queue */
export function createStateReader(
  store: Store,
  queue: Queue,
  campaign: StoredCampaign,
): () => Promise<CampaignState> {
  const seen = new Set<Batch>();
  return async () => {
    const { done, left } = await remainingOf(store, campaign);
    const machines = await machinesOf(store, campaign.id);
    const failures: CaseResult[] = [];
    for (const batch of done) {
      if (seen.has(batch)) continue;
      seen.add(batch);
      for (const machine of machines) {
        const found = await readBatch(store, batch, machine, campaign.cases);
        failures.push(...(found?.cases ?? []).filter(({ verdict }) => verdict === 'fail'));
      }
    }
    return {
      ...{ done: done.length, batches: done.length + left.length, failures },
      state: await queue.state(campaign.id),
    };
  };
}
