import { casesOption } from '../../evidence/result-of.ts';
import { joinRounds } from '../../fuzz/join-rounds.ts';
import type { RoundFindings } from '../../run/fuzz-round.ts';
import type { Results } from '../../run/results.ts';
import type { StoredCampaign } from '../stored.ts';
import { type CampaignResults, roundKey } from './gather-results.ts';

/**
 * Joins the rounds of a campaign of drawn cases into the results of a single run of its seed and size. Violations have been
 * shrunk where they were found.
 * @param missing sentences on parts of the campaign without results
 */
export function joinStoredRounds(
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
