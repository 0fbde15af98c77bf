import { EXIT } from '../../base/errors.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { VERSION } from '../../base/version.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import { otherCampaign } from '../../farm/messages.ts';
import { remainingOf } from '../../farm/node/batch-progress.ts';
import { campaignsOf, readCampaign, shortId } from '../../farm/node/campaign-file.ts';
import { pause } from '../../farm/node/feed.ts';
import { openFarm } from '../../farm/node/open-farm.ts';
import type { JobArgs } from '../../farm/node/serve-job.ts';
import { supervise } from '../../farm/node/supervise.ts';
import type { AnnouncedCampaign, Queue, Store } from '../../farm/queue.ts';
import { casesIn, type StoredCampaign } from '../../farm/stored.ts';
import type { WorkFacts } from '../../farm/work.ts';
import { parseCase } from '../../problem/case.ts';
import { formatCount } from '../../report/numbers.ts';
import { readBaselines } from '../../run/node/baseline-file.ts';
import { findStoredFolder } from '../../run/node/stored-folder.ts';
import { abortOnSignal } from '../stopper.ts';
import { batchesText, type WorkRequest } from './options.ts';

const JOB = ownScript('../../farm/node/job', import.meta.url);
/** Milliseconds between checks for a campaign. */
const LOOK = 2000;

/**
 * Judges batches of a campaign until none is left, or a signal comes; waits while there is no campaign.
 * @returns the exit code: inconclusive if it is ended earlier
 */
export async function runWork(request: WorkRequest): Promise<number> {
  const { options, sources } = await optionsOf(request);
  const version = VERSION;
  const folder = findStoredFolder('baselines', options.baselines);
  const about = {
    ...{ version, sources: digestOfSources(version, sources()), thresholds: options.thresholds },
    campaign: request.campaign,
  };
  const { store, queue, leaseSeconds } = await openFarm(request, true);
  const stop = abortOnSignal();
  const stopped = stop.signal;
  let [done, told] = [0, false];
  try {
    for (;;) {
      const campaign = await ownCampaign(store, queue, about);
      if (stopped.aborted) break;
      if (campaign === undefined) {
        if (done > 0 || request.noWait === true) break;
        if (!told)
          say(
            `Waiting for a campaign in ${queue.where}, without a time limit. Ctrl-C ends it; --no-wait does not wait.`,
          );
        told = true;
        await pause(LOOK, stopped);
        continue;
      }
      say(
        `Campaign ${shortId(campaign.id)}: ${formatCount(casesIn(campaign), 'case')} in ${batchesText(campaign.batches.length)}.`,
      );
      await supervise({
        ...{ store, queue, campaign, leaseSeconds, stopped, say },
        baselines: (id) => readBaselines(folder, id),
        jobs: {
          count: request.jobs ?? 1,
          module: JOB,
          args: { request, kernels: kernelsOf(campaign), describes: true } satisfies JobArgs,
        },
        onDone: () => done++,
      });
      if (stopped.aborted) break;
    }
  } finally {
    await queue.close();
    stop.release();
  }
  process.stdout.write(`This worker judged ${batchesText(done)}.\n`);
  return stopped.aborted ? EXIT.inconclusive : EXIT.pass;
}

/** The kernels of a campaign's batches, one kernel each. */
function kernelsOf({ batches, cases, fuzz }: StoredCampaign): string[] {
  const named = batches.flatMap((batch) => {
    if ('inspect' in batch) return batch.inspect.kernel;
    return 'places' in batch ? parseCase(cases[batch.places[0]].case).kernel : [];
  });
  return [...new Set([...named, ...(fuzz?.targets ?? []).map(({ kernel }) => kernel)])];
}

/** Facts by which a worker recognizes its campaigns. */
export interface WorkerFacts extends Pick<WorkFacts, 'sources' | 'thresholds'> {
  readonly version: string;
  /** A part of the id of the campaign to work on. @defaultValue any */
  readonly campaign?: string | undefined;
}

/**
 * Finds a campaign that a worker can work on: of its version, config, kernels and thresholds, with batches left; undefined if
 * there is none yet.
 * @throws ParanoiaError `other-campaign` if there are campaigns, but none is the worker's own
 */
export async function ownCampaign(
  store: Store,
  queue: Queue,
  about: WorkerFacts,
): Promise<StoredCampaign | undefined> {
  const all: readonly AnnouncedCampaign[] = queue.isFed
    ? await queue.announced()
    : (await campaignsOf(store)).map(({ batches, ...rest }) => ({ ...rest, batches: batches.length }));
  const meant = all.filter(({ id }) => id.startsWith(about.campaign ?? ''));
  const isOwn = (one: AnnouncedCampaign) => difference(one, about) === undefined;
  for (const { id } of meant.filter(isOwn)) {
    // A store that does not have it yet is read again later.
    const campaign = await readCampaign(store, id);
    if (campaign === undefined) continue;
    const { left } = await remainingOf(store, campaign);
    if (!queue.isFed)
      await queue.offer(
        id,
        left.map((batch) => batch.id),
      );
    if (left.length > 0) return campaign;
  }
  const [other] = meant;
  if (other === undefined || meant.some(isOwn)) return undefined;
  const { what, theirs, ours } = difference(other, about) as Difference;
  throw otherCampaign({ where: queue.where, what, theirs, ours });
}

interface Difference {
  readonly what: string;
  readonly theirs: string;
  readonly ours: string;
}

function difference(theirs: AnnouncedCampaign, ours: WorkerFacts): Difference | undefined {
  const { sigmas, drift } = theirs.thresholds;
  if (theirs.version !== ours.version) return { what: 'Version', theirs: theirs.version, ours: ours.version };
  if (theirs.sources !== ours.sources)
    return {
      what: 'Digest of config and kernels',
      ...{ theirs: shortId(theirs.sources), ours: shortId(ours.sources) },
    };
  if (sigmas === ours.thresholds.sigmas && drift === ours.thresholds.drift) return undefined;
  const shown = (one: WorkFacts['thresholds']) => `${one.sigmas} sigmas and drift ${one.drift}`;
  return { what: 'Thresholds', theirs: shown(theirs.thresholds), ours: shown(ours.thresholds) };
}
