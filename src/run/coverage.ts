import { plannedText } from '../evidence/case-result.ts';
import type { Results } from './results.ts';
import { campaignOfResults, type NamedResults } from './same-kind.ts';

/** Coverage of the planned cases by several runs together. */
export interface CampaignCoverage {
  /** Number of planned cases that no run has. */
  readonly lacking: number;
  /** True if every case that a config requests was run. */
  readonly whole: boolean;
  /** A sentence on the missing shards, where cases are missing. */
  readonly missing: string | undefined;
}

/** Computes the coverage of campaigns by several runs. A run without a campaign is a campaign of its own. */
export function coverageOf(sources: readonly NamedResults[]): CampaignCoverage {
  const byCampaign = new Map<string | NamedResults, Results[]>();
  for (const source of sources) {
    const { campaign, shard } = source.results;
    const key = campaign === undefined && shard === undefined ? source : campaignOfResults(source.results);
    byCampaign.set(key, [...(byCampaign.get(key) ?? []), source.results]);
  }
  const campaigns = [...byCampaign.values()];
  const lacking = campaigns.map(lackingOf);
  const sentences = campaigns.flatMap((group, at) =>
    lacking[at] > 0 || !group.every(listsAll) ? missingShards(group) : [],
  );
  return {
    lacking: lacking.reduce((sum, count) => sum + count, 0),
    whole: campaigns.every(
      (group, at) => group[0].campaign?.whole === true && lacking[at] + skippedCasesOf(group).length === 0,
    ),
    missing: sentences.length === 0 ? undefined : sentences.join(' '),
  };
}

/** True if results hold every case that was run. Results of fuzzing hold a few of many. */
export const listsAll = ({ summary, cases, fuzz }: Results): boolean =>
  fuzz === undefined && summary.run === cases.length;

function lackingOf(runs: readonly Results[]): number {
  const [{ campaign }] = runs;
  const planned = campaign?.cases ?? runs.reduce((sum, { summary }) => sum + summary.planned, 0);
  const covered = runs.every(listsAll)
    ? new Set(runs.flatMap(({ cases }) => cases.map(plannedText))).size
    : runs.reduce((sum, run) => sum + run.summary.run, 0);
  return Math.max(0, planned - covered - skippedCasesOf(runs).length);
}

/** Returns the omitted cases that no run has run. */
export function skippedCasesOf(runs: readonly Results[]): string[] {
  const run = new Set(runs.flatMap(({ cases }) => cases.map(plannedText)));
  return [...new Set(runs.flatMap(({ skipped = [] }) => skipped))].filter((text) => !run.has(text));
}

const MOST_NAMED = 8;

/** Returns "Shards 2 and 4 of 4 are missing.", if any are. */
function missingShards(runs: readonly Results[]): string[] {
  const shards = runs.flatMap(({ shard }) => (shard === undefined ? [] : [shard]));
  return [...new Set(shards.map(({ of }) => of))].flatMap((of) => {
    const there = new Set(shards.filter((shard) => shard.of === of).map(({ index }) => index));
    const missing = Array.from({ length: of }, (_, at) => at + 1).filter((index) => !there.has(index));
    if (missing.length === 0) return [];
    const named = missing.slice(0, MOST_NAMED).map(String);
    if (missing.length > MOST_NAMED) named.push(`${missing.length - MOST_NAMED} more`);
    const last = named.pop();
    const list = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
    return [
      missing.length === 1 ? `Shard ${list} of ${of} is missing.` : `Shards ${list} of ${of} are missing.`,
    ];
  });
}
