import { defaultThresholds } from '../evidence/checks/check.ts';
import type { Results } from '../run/results.ts';
import { campaignId } from '../run/shard.ts';

/** Ids of campaigns; those of earlier versions do not tell their sources, and are not compared. */
const ID = /^[0-9a-f]{64}$/;

/**
 * Reasons why the cases of a run may not be those of its campaign, whose id follows from the texts of its cases, the thresholds and
 * the sources. A config may have other thresholds than the usual ones, so that this is a doubt and no more.
 */
export async function campaignDoubts({
  campaign,
  shard,
  leftOut = [],
  cases,
  summary,
  merged,
}: Results): Promise<string[]> {
  if (campaign === undefined) return ['It does not say of which campaign it is.'];
  if (shard !== undefined) return [`It is shard ${shard.index} of ${shard.of}: merge shows the whole.`];
  if (summary.interrupted) return [`It was interrupted after ${summary.run} of ${summary.planned} cases.`];
  const all = new Set([...cases.map((result) => result.case), ...leftOut]);
  if (all.size !== campaign.cases)
    return [`Its campaign has ${campaign.cases} cases, and ${all.size} of them are told of.`];
  // Where cases were left out, their places among the others are not known.
  if (leftOut.length > 0 || merged !== undefined || !ID.test(campaign.id)) return [];
  const { sources } = campaign;
  return (await campaignId([...all], { thresholds: defaultThresholds, sources })) === campaign.id
    ? []
    : ['Its cases are not those of its campaign, or were held to other thresholds than the usual ones.'];
}
