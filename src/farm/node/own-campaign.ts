import { otherCampaign } from '../messages.ts';
import type { AnnouncedCampaign, Queue } from '../queue.ts';
import type { Store } from '../store.ts';
import type { StoredCampaign } from '../stored.ts';
import type { WorkFacts } from '../work.ts';
import { remainingOf } from './batch-progress.ts';
import { campaignsOf, readCampaign, shortId } from './campaign-file.ts';

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
