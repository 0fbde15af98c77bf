import { casesOption } from '../../evidence/result-of.ts';
import { joinRounds } from '../../fuzz/join-rounds.ts';
import { conclude } from '../../run/conclude.ts';
import type { RoundFindings } from '../../run/fuzz-round.ts';
import { withShownExamples } from '../../run/groups/group.ts';
import { aboutOracle } from '../../run/judge.ts';
import { computeOutcome } from '../../run/outcome.ts';
import type { Results } from '../../run/results.ts';
import { RESULTS_SCHEMA } from '../../run/results-schema.ts';
import { readWaiver, waive } from '../../run/waivers.ts';
import { mixedMachines, nothingDone } from '../messages.ts';
import type { Store } from '../queue.ts';
import { nameOf, type StoredCampaign, type StoredMachine } from '../stored.ts';
import { type Batch, batchKey } from '../work.ts';
import { machinesOf, readMachine } from './batch-files.ts';
import { listHalves } from './batch-progress.ts';
import { type CampaignResults, gatherResults, roundKey } from './gather-results.ts';

export interface CollectOptions {
  /** A part of the id or name of the adapter whose results to collect. @defaultValue the adapter that has all of them */
  readonly adapter?: string | undefined;
  /** True if results of several machines may be joined. */
  readonly allowMixed: boolean;
  /** Fields of the results about how they were made. */
  readonly stamp: Pick<Results, 'createdAt' | 'command'>;
}

/** A machine, and the number of batches it has done. */
interface Share {
  readonly machine: StoredMachine;
  readonly batches: number;
}

/**
 * Collects the results of a campaign from a store. They are those of a single run, except times and examples that were not shrunk.
 * @throws ParanoiaError `mixed-machines`, `batches-differ`, `bad-stored`, `newer-stored`, `store-unusable`
 */
export async function collect(
  store: Store,
  campaign: StoredCampaign,
  options: CollectOptions,
): Promise<Results> {
  const { chosen, notes } = await machinesFor(store, campaign, options);
  const found = await gatherResults(
    store,
    campaign,
    chosen.map(({ machine: { key } }) => key),
  );
  const about: Pick<
    Results,
    'schema' | 'createdAt' | 'version' | 'command' | 'seed' | 'adapter' | 'arithmetic' | 'probe'
  > = {
    ...{ schema: RESULTS_SCHEMA, ...options.stamp, version: campaign.version, seed: campaign.seed },
    ...aboutMachine(chosen[0].machine),
  };
  const missing =
    found.missing === 0 ? [] : [`${found.missing} of ${campaign.batches.length} batches are missing.`];
  const said = [...campaign.notes, ...chosen[0].machine.notes, ...aboutOracle(found.said), ...notes];
  const told = {
    ...(Object.keys(found.versions).length === 0 ? {} : { versions: found.versions }),
    ...(said.length === 0 ? {} : { notes: said }),
  };
  if (campaign.fuzz !== undefined)
    return { ...about, ...joinStoredRounds(campaign, found, [...found.uninspected, ...missing]), ...told };
  const { cases, waivers: given } = campaign;
  const now = new Date(found.last ?? options.stamp.createdAt);
  const waivers = given.map(({ check, ...waiver }) =>
    readWaiver({ ...waiver, ...(check === undefined ? {} : { check }) }),
  );
  const { before, behind } = campaign.replay;
  const judged = found.results.flatMap((result) => {
    if (result === undefined) return [];
    const replay = `${before}${casesOption(...(result.after ?? []), result.case)}${behind}`;
    return [waive({ ...result, replay }, waivers, now)];
  });
  const lacking = cases.length - judged.length - found.skipped.size;
  const {
    lack,
    bounds: _,
    ...outcome
  } = await computeOutcome(judged, {
    ...{ planned: cases.length, seconds: found.seconds, waivers, now },
    skipped: [...found.skipped].sort((x, y) => x - y).map((at) => cases[at].case),
    ...{ interrupted: lacking > 0, whole: campaign.whole && judged.length === cases.length },
  });
  const concluded = conclude(outcome, inspectedIn(found), [
    ...campaign.thin,
    ...found.uninspected,
    ...missing,
    ...(lack === undefined ? [] : [lack.message]),
  ]);
  return {
    ...about,
    ...{ ...outcome, cases: await withPictures(outcome, found) },
    ...concluded,
    ...told,
    campaign: { id: campaign.id, cases: cases.length, whole: campaign.whole, sources: campaign.sources },
  };
}

const aboutMachine = ({ adapter, arithmetic, probe }: StoredMachine) => ({
  ...{ adapter, arithmetic },
  ...(probe === undefined ? {} : { probe }),
});

async function machinesFor(store: Store, campaign: StoredCampaign, { adapter, allowMixed }: CollectOptions) {
  const shares = await sharesOf(store, campaign);
  const fitting = shares
    .filter(({ machine }) => isMeant(machine, adapter))
    .filter(({ batches }) => batches > 0);
  const complete = fitting.filter(({ batches }) => batches === campaign.batches.length);
  const [first] = complete;
  const texts = shares.map(
    ({ machine, batches }) => `${batches} of ${campaign.batches.length} batches on ${machine.adapter.id}`,
  );
  if (fitting.length > 1 && complete.length !== 1 && !allowMixed) throw mixedMachines({ machines: texts });
  const chosen = complete.length === 1 && !allowMixed ? [first] : fitting;
  if (chosen.length === 0) throw nothingDone({ store: store.where, adapter });
  const notes = shares.length > 1 ? [`Several machines worked on the campaign: ${texts.join('; ')}.`] : [];
  return { chosen, notes };
}

const isMeant = ({ adapter: { id, name } }: StoredMachine, asked: string | undefined): boolean =>
  asked === undefined || `${id} ${name}`.toLowerCase().includes(asked.toLowerCase());

/** The share of each machine in a campaign, the largest first. */
async function sharesOf(store: Store, campaign: StoredCampaign): Promise<Share[]> {
  const names = new Set(await store.list(''));
  const shares: Share[] = [];
  for (const key of await machinesOf(store, campaign.id)) {
    const isDone = async (batch: Batch): Promise<boolean> => {
      if (names.has(nameOf.batch(await batchKey(batch.id, key)))) return true;
      const [one, other] = await listHalves(campaign, batch);
      return one !== undefined && (await isDone(one)) && (await isDone(other));
    };
    let batches = 0;
    for (const batch of campaign.batches as Batch[]) if (await isDone(batch)) batches++;
    shares.push({ machine: await readMachine(store, campaign.id, key), batches });
  }
  return shares.sort((one, other) => other.batches - one.batches);
}

/** Inspections of kernels that returned products. */
function inspectedIn({ results, inspections }: CampaignResults) {
  const met = new Set<string>();
  const multiplying = new Set<string>();
  for (const result of results) {
    if (result === undefined) continue;
    met.add(result.kernel);
    if (result.exact !== undefined) multiplying.add(result.kernel);
  }
  return inspections.filter(({ kernel }) => multiplying.has(kernel) || !met.has(kernel));
}

/** The cases; those that groups show come with their pictures. */
async function withPictures(
  { cases, groups = [] }: Pick<Results, 'cases' | 'groups'>,
  found: CampaignResults,
) {
  const places = new Map(
    found.results.flatMap((result, at) => (result === undefined ? [] : [[result.case, at] as const])),
  );
  const pictured = [...cases];
  for (const { example, cases: members } of groups) {
    const at = members.find((member) => cases[member].case === example);
    const whole = await found.whole(places.get(example) as number);
    if (at === undefined || whole === undefined) continue;
    const { replay, waiver } = cases[at];
    pictured[at] = { ...whole, replay, ...(waiver === undefined ? {} : { waiver }) };
  }
  return withShownExamples(pictured, groups);
}

/**
 * Joins the rounds of a campaign of drawn cases into the results of a single run of its seed and size. Violations have been
 * shrunk where they were found.
 * @param missing sentences on parts of the campaign without results
 */
function joinStoredRounds(
  { fuzz, replay: { before, behind } }: StoredCampaign,
  { rounds, seconds }: Pick<CampaignResults, 'rounds' | 'seconds'>,
  missing: readonly string[],
): Omit<Results, 'schema' | 'createdAt' | 'version' | 'command' | 'seed' | 'adapter' | 'arithmetic'> {
  const replayed = <T extends RoundFindings['recent'][number]>(result: T): T => ({
    ...result,
    replay: `${before}${casesOption(...(result.after ?? []), result.case)}${behind}`,
  });
  const known = (target: number, round: number): RoundFindings | undefined => {
    const found = rounds.get(roundKey({ target, round }));
    if (found === undefined) return undefined;
    const { worst, recent, more, finding } = found;
    return {
      ...found,
      ...{ worst: worst.map(replayed), recent: recent.map(replayed), more: more.map(replayed) },
      ...(finding === undefined ? {} : { finding: { ...finding, result: replayed(finding.result) } }),
    };
  };
  const { findings: _, ...outcome } = joinRounds(fuzz as NonNullable<typeof fuzz>, known, seconds);
  // Rounds after a violation belong to no run, so none of them is missing.
  const lack = outcome.summary.interrupted ? missing : [];
  const verdict = lack.length > 0 && outcome.verdict === 'pass' ? 'inconclusive' : outcome.verdict;
  return { ...outcome, verdict, reason: [outcome.reason, ...lack].join(' ') };
}
