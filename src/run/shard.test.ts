import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { formatCase, operandsText } from '../problem/case.ts';
import { casesOfShard, describeCampaign, parseShard } from './shard.ts';

const campaign = planCampaign(defaultCampaign);
const thresholds = { sigmas: 6, drift: 2 };

describe('the shards of a campaign', () => {
  it.each(inShort([1, 2, 7, 64], 2))('are %i, and hold each case once, in order', (of) => {
    const shards = Array.from({ length: of }, (_, at) => casesOfShard(campaign, { index: at + 1, of }));
    const places = shards.flatMap((shard) => shard.places);
    expect(places.toSorted((a, b) => a - b)).toEqual(campaign.map((_, at) => at));
    for (const shard of shards) {
      expect(shard.places).toEqual(shard.places.toSorted((a, b) => a - b));
      expect(shard.cases).toEqual(shard.places.map((place) => campaign[place]));
    }
  });

  it.each([2, 16, 50])('have equally many cases each, or one more: of %i', (cases) => {
    for (const of of [2, 3, 16]) {
      const counts = Array.from(
        { length: of },
        (_, at) => casesOfShard(campaign.slice(0, cases), { index: at + 1, of }).cases.length,
      );
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  it('keep cases of one input together, but for one input at each end', () => {
    const inputs = Array.from({ length: 8 }, (_, at) =>
      casesOfShard(campaign, { index: at + 1, of: 8 }).cases.map(operandsText),
    );
    const all = inputs.flatMap((own) => [...new Set(own)]);
    expect(all.length - new Set(all).size).toBeLessThan(8);
  });

  it('hardly change with a case that is added', () => {
    const all = casesOfShard(campaign, { index: 2, of: 4 }).cases.map(formatCase);
    const fewer = casesOfShard(campaign.slice(1), { index: 2, of: 4 }).cases.map(formatCase);
    expect(all.filter((text) => !fewer.includes(text)).length).toBeLessThanOrEqual(2);
  });

  it('are the same on every machine, today and tomorrow', () => {
    const plain = planCampaign({ ...defaultCampaign, plain: true }).slice(0, 9);
    const shards = [1, 2, 3].map((index) => casesOfShard(plain, { index, of: 3 }).places);
    expect(shards).toEqual([
      [1, 2, 6],
      [0, 4, 5],
      [3, 7, 8],
    ]);
  });
});

it('names a campaign by its cases, thresholds and sources', async () => {
  const about = { thresholds, whole: true };
  const { id, cases } = await describeCampaign(campaign, about);
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(cases).toBe(campaign.length);
  const again = await describeCampaign([...campaign, campaign[0]], { ...about, whole: false });
  expect(again).toEqual({ id, cases, whole: false });
  const others = await Promise.all([
    describeCampaign(campaign.slice(1), about),
    describeCampaign(campaign, { ...about, thresholds: { ...thresholds, sigmas: 7 } }),
    describeCampaign(campaign, { ...about, sources: 'a' }),
    describeCampaign(campaign, { ...about, sources: 'b' }),
  ]);
  expect(new Set([id, ...others.map((other) => other.id)]).size).toBe(5);
});

describe('--shard', () => {
  it.each([
    ['1/1', { index: 1, of: 1 }],
    ['2/8', { index: 2, of: 8 }],
    [' 8 / 8 ', { index: 8, of: 8 }],
  ])('reads %s, whatever variables are set', (given, shard) => {
    expect(parseShard(given, { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '4' })).toEqual(shard);
  });

  it.each([
    ['0/8', 'shards are numbered from 1 to 8, found 0'],
    ['9/8', 'shards are numbered from 1 to 8, found 9'],
    ['1/0', 'the number of shards must be 1 to 100000, found 0'],
    ['1/100001', 'the number of shards must be 1 to 100000, found 100001'],
    ['3', 'the number of shards is missing'],
    ...[
      '',
      '1/2/3',
      '-1/2',
      'a/b',
      '1.5/2',
      '1e1/20',
      '/',
      '1/',
      '/2',
      'automatic',
      '९/९',
      '1/99999999999',
    ].map((given) => [given, 'it must be i/n, auto or auto/n']),
  ])('refuses %j', (given, why) => {
    expect(() => parseShard(given, {})).toThrow(
      expect.objectContaining({
        code: 'bad-shard',
        message: `--shard ${given} is invalid: ${why}. Use i/n, such as 2/8 for the second of eight shards.`,
      }),
    );
  });

  it('never throws anything but a problem', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.constantFrom('CI_NODE_INDEX', 'CI_NODE_TOTAL'), fc.string()),
        (given, env) => {
          try {
            const { index, of } = parseShard(given, env);
            return index >= 1 && index <= of;
          } catch (error) {
            return (error as { code?: string }).code === 'bad-shard';
          }
        },
      ),
    );
  });

  const slurm = (id: number, min: number, max: number, count = max - min + 1) => ({
    SLURM_ARRAY_TASK_ID: `${id}`,
    SLURM_ARRAY_TASK_MIN: `${min}`,
    SLURM_ARRAY_TASK_MAX: `${max}`,
    SLURM_ARRAY_TASK_COUNT: `${count}`,
  });

  it.each([
    ['auto', slurm(0, 0, 7), 1, 8, 'SLURM_ARRAY_TASK_ID=0 (Slurm array)'],
    ['auto', slurm(8, 1, 8), 8, 8, 'SLURM_ARRAY_TASK_ID=8 (Slurm array)'],
    ['auto/8', slurm(3, 1, 8), 3, 8, 'SLURM_ARRAY_TASK_ID=3 (Slurm array)'],
    ['auto/8', slurm(3, 3, 3), 3, 8, 'SLURM_ARRAY_TASK_ID=3 (Slurm array)'],
    ['auto/8', slurm(7, 2, 7, 2), 7, 8, 'SLURM_ARRAY_TASK_ID=7 (Slurm array)'],
    ['auto/8', { JOB_COMPLETION_INDEX: '7' }, 8, 8, 'JOB_COMPLETION_INDEX=7 (Kubernetes indexed Job)'],
    ['auto', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, 1, 3, 'CI_NODE_INDEX=1 (GitLab)'],
    ['auto/3', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '3' }, 3, 3, 'CI_NODE_INDEX=3 (GitLab)'],
    ['auto', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2' }, 1, 2, 'CIRCLE_NODE_INDEX=0 (CircleCI)'],
    [
      'auto',
      {
        BUILDKITE_PARALLEL_JOB: '4',
        BUILDKITE_PARALLEL_JOB_COUNT: '5',
        CI_NODE_TOTAL: '1',
        CI_NODE_INDEX: '',
      },
      5,
      5,
      'BUILDKITE_PARALLEL_JOB=4 (Buildkite)',
    ],
  ])('%s takes its place from a scheduler %#', (given, env, index, of, because) => {
    expect(parseShard(given, env)).toEqual({ index, of, because });
  });

  it.each([
    ['auto', {}, 'none of the variables SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX, '],
    ['auto', { CI_NODE_TOTAL: '1' }, 'none of the variables'],
    [
      'auto',
      { JOB_COMPLETION_INDEX: '0' },
      'JOB_COMPLETION_INDEX does not state the number of shards: give auto/n',
    ],
    ['auto/8', { JOB_COMPLETION_INDEX: '8' }, 'JOB_COMPLETION_INDEX=8 is not one of 8 numbers from 0'],
    ['auto/8', { JOB_COMPLETION_INDEX: 'x' }, 'JOB_COMPLETION_INDEX must be a whole number, but is "x"'],
    ['auto/4', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, 'CI_NODE_TOTAL is 3'],
    ['auto', { CI_NODE_INDEX: '1' }, 'CI_NODE_TOTAL must be a whole number, but is not set'],
    ['auto', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '3' }, 'CI_NODE_INDEX=0 is not one of 3 numbers from 1'],
    [
      'auto',
      slurm(3, 3, 3),
      'the array has task 3 alone, which may be part of a larger one: give auto/n, with tasks numbered from 1 to n',
    ],
    [
      'auto',
      slurm(5, 5, 8),
      'the array has 4 tasks from 5 to 8, which may be part of a larger one: give auto/n, with tasks numbered from 1 to n',
    ],
    [
      'auto',
      slurm(1, 1, 3, 2),
      'the array has 2 tasks from 1 to 3, which may be part of a larger one: give auto/n, with tasks numbered from 1 to n',
    ],
    ['auto', slurm(22, 1, 5), 'SLURM_ARRAY_TASK_ID=22 is not one of 5 numbers from 1'],
    ['auto/8', slurm(9, 1, 9), 'SLURM_ARRAY_TASK_ID=9 is not one of 8 numbers from 1'],
    [
      'auto',
      { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '2' },
      'SLURM_ARRAY_TASK_MIN must be a whole number',
    ],
    [
      'auto',
      { ...slurm(1, 1, 2), CIRCLE_NODE_INDEX: '0' },
      'both SLURM_ARRAY_TASK_ID and CIRCLE_NODE_INDEX are set',
    ],
  ])('%s says what is wrong with the variables %#', (given, env, why) => {
    expect(() => parseShard(given, env)).toThrow(
      expect.objectContaining({ code: 'bad-shard', message: expect.stringContaining(why) }),
    );
  });
});
