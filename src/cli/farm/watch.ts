import { EXIT } from '../../base/errors.ts';
import { toOneLine } from '../../base/printable.ts';
import { chooseCampaign, shortId } from '../../farm/node/campaign-file.ts';
import { type CampaignState, createStateReader } from '../../farm/node/campaign-state.ts';
import { pause } from '../../farm/node/feed.ts';
import { openFarm } from '../../farm/node/open-farm.ts';
import { casesIn } from '../../farm/stored.ts';
import { failureLine } from '../../pages/failure.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { formatCount, formatDuration } from '../../report/numbers.ts';
import { abortOnSignal } from '../stopper.ts';
import { batchesText, type WatchRequest } from './options.ts';

/** Milliseconds between checks. */
const LOOK = 2000;
/** The number of failures that are printed as they come; others are counted. */
const SHOWN = 20;
const CLEAR = '\r\x1b[2K';

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
