import { describe, expect, it } from 'vitest';
import { defaultThresholds } from '../evidence/checks/check.ts';
import type { Results } from '../run/results.ts';
import { campaignId } from '../run/shard.ts';
import { campaignDoubts } from './campaign-doubt.ts';
import { publishedRun } from './run.testing.ts';

const run = publishedRun();
const texts = run.cases.map((result) => result.case);
const about = run.campaign as NonNullable<Results['campaign']>;

/** The published run as this version names campaigns, with the sources of some kernels. */
async function named(thresholds = defaultThresholds): Promise<Results> {
  const sources = 'a'.repeat(64);
  const id = await campaignId(texts, { thresholds, sources });
  return { ...run, campaign: { ...about, id, sources } };
}
const other = /^Its cases are not those of its campaign, or were held to other thresholds/;

describe('a run', () => {
  it('that is whole is not doubted, of this version or of one whose ids are not known', async () => {
    expect(await campaignDoubts(await named())).toEqual([]);
    expect(await campaignDoubts(run)).toEqual([]);
  });

  it.each<[string, (whole: Results) => Results, RegExp]>([
    ['of other cases', (whole) => ({ ...whole, cases: whole.cases.toReversed() }), other],
    [
      'of other sources',
      (whole) => ({ ...whole, campaign: { ...about, ...whole.campaign, sources: 'b' } as typeof about }),
      other,
    ],
    ['of fewer cases', (whole) => ({ ...whole, cases: whole.cases.slice(1) }), /181 cases, and 180 of them/],
    ['of a shard', (whole) => ({ ...whole, shard: { index: 1, of: 2, places: [] } }), /shard 1 of 2/],
    [
      'that was interrupted',
      (whole) => ({ ...whole, summary: { ...whole.summary, interrupted: true } }),
      /interrupted/,
    ],
    ['of no campaign', ({ campaign: _, ...whole }) => whole, /of which campaign/],
  ])('%s is doubted', async (_, change, why) => {
    expect(await campaignDoubts(change(await named()))).toEqual([expect.stringMatching(why)]);
  });

  it('held to other thresholds is doubted', async () => {
    const doubts = await campaignDoubts(await named({ ...defaultThresholds, sigmas: 7 }));
    expect(doubts).toEqual([expect.stringMatching(other)]);
  });
});
