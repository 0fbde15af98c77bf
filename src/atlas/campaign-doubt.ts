import { defaultThresholds } from '../evidence/checks/check.ts';
import { fnv1a } from '../gpu/fingerprint.ts';
import type { Results } from '../run/results.ts';

/**
 * Why the cases of a whole run may not be those of its campaign: the campaign's id follows from the texts of its cases and the
 * thresholds. A config may have others than the usual ones, so that this is a doubt and no more.
 */
export function campaignDoubts({ campaign, shard, leftOut = [], cases, summary, merged }: Results): string[] {
  if (campaign === undefined) return ['It does not say of which campaign it is.'];
  if (shard !== undefined) return [`It is shard ${shard.index} of ${shard.of}: merge shows the whole.`];
  if (summary.interrupted) return [`It was interrupted after ${summary.run} of ${summary.planned} cases.`];
  const all = new Set([...cases.map((result) => result.case), ...leftOut]);
  if (all.size !== campaign.cases)
    return [`Its campaign has ${campaign.cases} cases, and ${all.size} of them are told of.`];
  // Where cases were left out, their places among the others are not known.
  if (leftOut.length > 0 || merged !== undefined) return [];
  const { sigmas, drift } = defaultThresholds;
  const id = fnv1a(JSON.stringify([...all, sigmas, drift]));
  return id.toString(16).padStart(8, '0') === campaign.id
    ? []
    : ['Its cases are not those of its campaign, or were held to other thresholds than the usual ones.'];
}
