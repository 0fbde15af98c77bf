import { EXIT } from '../base/errors.ts';
import { ownScript } from '../base/node/own-script.ts';
import { VERSION } from '../base/version.ts';
import { type Flags, parseNumber } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { optionsOf } from '../config/node/options-of.ts';
import { digestOfSources } from '../config/node/sources.ts';
import { shownId } from '../farm/node/campaign-file.ts';
import { pause } from '../farm/node/feed.ts';
import { ownCampaign } from '../farm/node/own-campaign.ts';
import { supervise } from '../farm/node/supervise.ts';
import { casesIn, type StoredCampaign } from '../farm/stored.ts';
import { parseCase } from '../problem/case.ts';
import { ranges } from '../problem/ranges.ts';
import { readBaselines } from './baseline-file.ts';
import { askedCampaign, openFarm } from './farm-options.ts';
import { storedFolder } from './files.ts';
import { say } from './say.ts';
import type { JobArgs } from './serve-job.ts';
import { signalled } from './signalled.ts';

const JOB = ownScript('./job', import.meta.url);
/** Milliseconds between looks for a campaign. */
const LOOK = 2000;

/**
 * Judges batches of a campaign until none is left, or a signal comes; waits where there is no campaign yet.
 * @returns the exit code: inconclusive where it is ended before.
 */
export async function runWork(flags: Flags): Promise<number> {
  if (flags.untrusted === true) throw conflictingOptions({ one: 'farm work', other: '--untrusted' });
  const { options, sources } = await optionsOf(flags);
  const version = VERSION;
  const folder = storedFolder('baselines', options.baselines);
  const jobs = flags.jobs === undefined ? 1 : parseNumber('--jobs', flags.jobs, ranges.jobs);
  const about = {
    ...{ version, sources: digestOfSources(version, sources()), thresholds: options.thresholds },
    campaign: askedCampaign(flags),
  };
  const { store, queue, leaseSeconds } = await openFarm(flags, true);
  const stop = signalled();
  const stopped = stop.signal;
  let [done, told] = [0, false];
  try {
    for (;;) {
      const campaign = await ownCampaign(store, queue, about);
      if (stopped.aborted) break;
      if (campaign === undefined) {
        if (done > 0 || flags.wait === false) break;
        if (!told) say(`Waiting for a campaign in ${queue.where}.`);
        told = true;
        await pause(LOOK, stopped);
        continue;
      }
      say(
        `Campaign ${shownId(campaign.id)}: ${casesIn(campaign)} cases in ${campaign.batches.length} batches.`,
      );
      await supervise({
        ...{ store, queue, campaign, leaseSeconds, stopped, say },
        baselines: (id) => readBaselines(folder, id),
        jobs: {
          count: jobs,
          module: JOB,
          args: { flags, kernels: kernelsOf(campaign), describes: true } satisfies JobArgs,
        },
        onDone: () => done++,
      });
      if (stopped.aborted) break;
    }
  } finally {
    await queue.close();
    stop.release();
  }
  process.stdout.write(`This worker has judged ${done === 1 ? 'one batch' : `${done} batches`}.\n`);
  return stopped.aborted ? EXIT.inconclusive : EXIT.pass;
}

/** The kernels of a campaign: a batch has one. */
function kernelsOf({ batches, cases, fuzz }: StoredCampaign): string[] {
  const named = batches.flatMap((batch) => {
    if ('inspect' in batch) return batch.inspect.kernel;
    return 'places' in batch ? parseCase(cases[batch.places[0]].case).kernel : [];
  });
  return [...new Set([...named, ...(fuzz?.targets ?? []).map(({ kernel }) => kernel)])];
}
