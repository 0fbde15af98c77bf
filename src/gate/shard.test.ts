import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultCampaign } from './campaign.ts';
import { formatCase, parseCase } from './case.ts';
import { planCampaign } from './plan-campaign.ts';
import { casesOfShard, describeCampaign, parseShard, shardOf } from './shard.ts';

const campaign = planCampaign(defaultCampaign);
const thresholds = { sigmas: 6, drift: 2 };

describe('the shards of a campaign', () => {
  it.each([1, 2, 7, 64])('are %i, and hold each case once, in order', (of) => {
    const shards = Array.from({ length: of }, (_, at) => casesOfShard(campaign, { index: at + 1, of }));
    const places = shards.flatMap((shard) => shard.places);
    expect(places.toSorted((a, b) => a - b)).toEqual(campaign.map((_, at) => at));
    for (const shard of shards) {
      expect(shard.places).toEqual(shard.places.toSorted((a, b) => a - b));
      expect(shard.cases).toEqual(shard.places.map((place) => campaign[place]));
    }
  });

  it('have about as many inputs each', () => {
    const inputs = new Map(campaign.map((c) => [[c.input, c.m, c.k, c.n, c.levels, c.seed].join(), c]));
    const counts = new Array(8).fill(0);
    for (const value of inputs.values()) counts[shardOf(value, 8) - 1] += 1;
    const fair = inputs.size / 8;
    // Four standard deviations of a fair draw.
    for (const count of counts) expect(Math.abs(count - fair)).toBeLessThan(4 * Math.sqrt(fair));
  });

  it('keep cases of one input together, whatever else is in the campaign', () => {
    const [first] = campaign;
    expect(shardOf({ ...first, kernel: 'other:kernel', border: 'peel', edge: 'pad' }, 97)).toBe(
      shardOf(first, 97),
    );
    const fewer = casesOfShard(campaign.slice(100), { index: 2, of: 4 }).cases.map(formatCase);
    const all = casesOfShard(campaign, { index: 2, of: 4 }).cases.map(formatCase);
    expect(all).toEqual(expect.arrayContaining(fewer));
    expect(fewer.length).toBeGreaterThan(100);
  });

  it('are the same on every machine, today and tomorrow', () => {
    const one = parseCase('kernel=a;m=2;k=3;n=5');
    const other = parseCase('kernel=b;levels=2;input=integers;m=64;k=64;n=64;seed=7;precision=f16');
    expect([one, { ...one, seed: 2 }, other].map((value) => shardOf(value, 1000))).toEqual([965, 72, 321]);
  });
});

it('names a campaign by its cases and thresholds', () => {
  const { id, cases } = describeCampaign(campaign, thresholds, true);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(cases).toBe(campaign.length);
  const again = describeCampaign([...campaign, campaign[0]], { ...thresholds }, false);
  expect(again).toEqual({ id, cases, whole: false });
  expect(describeCampaign(campaign.slice(1), thresholds, true).id).not.toBe(id);
  expect(describeCampaign(campaign, { ...thresholds, sigmas: 7 }, true).id).not.toBe(id);
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
    ['0/8', 'shards are counted from 1 to 8, and 0 is none of them'],
    ['9/8', 'shards are counted from 1 to 8, and 9 is none of them'],
    ['1/0', 'there may be 1 to 100000 shards, not 0'],
    ['1/100001', 'there may be 1 to 100000 shards, not 100001'],
    ['3', 'it does not say of how many'],
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
    ].map((given) => [given, 'it is neither i/n nor auto nor auto/n']),
  ])('refuses %j', (given, why) => {
    expect(() => parseShard(given, {})).toThrow(
      expect.objectContaining({
        code: 'bad-shard',
        message: `--shard ${given} cannot be used: ${why}; give it as i/n, such as 2/8 for the second of eight.`,
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

  const slurm = (id: number, min: number, count: number, step?: number) => ({
    SLURM_ARRAY_TASK_ID: `${id}`,
    SLURM_ARRAY_TASK_MIN: `${min}`,
    SLURM_ARRAY_TASK_COUNT: `${count}`,
    ...(step === undefined ? {} : { SLURM_ARRAY_TASK_STEP: `${step}` }),
  });

  it.each([
    ['auto', slurm(0, 0, 8), 1, 8, 'SLURM_ARRAY_TASK_ID=0 (Slurm array)'],
    ['auto', slurm(12, 5, 8, 1), 8, 8, 'SLURM_ARRAY_TASK_ID=12 (Slurm array)'],
    ['auto', slurm(5, 1, 4, 2), 3, 4, 'SLURM_ARRAY_TASK_ID=5 (Slurm array)'],
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
      'JOB_COMPLETION_INDEX does not say of how many it is one: give auto/n',
    ],
    [
      'auto/8',
      { JOB_COMPLETION_INDEX: '8' },
      'JOB_COMPLETION_INDEX=8 is not one of 8 numbers from 0 on, 1 apart',
    ],
    ['auto/8', { JOB_COMPLETION_INDEX: 'x' }, 'JOB_COMPLETION_INDEX must be a whole number, but is "x"'],
    ['auto/4', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, 'CI_NODE_TOTAL is 3'],
    ['auto', { CI_NODE_INDEX: '1' }, 'CI_NODE_TOTAL must be a whole number, but is not set'],
    [
      'auto',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '3' },
      'shards are counted from 1 to 3, and 0 is none of them',
    ],
    ['auto', slurm(3, 1, 3, 3), 'SLURM_ARRAY_TASK_ID=3 is not one of 3 numbers from 1 on, 3 apart'],
    ['auto', slurm(22, 1, 5), 'SLURM_ARRAY_TASK_ID=22 is not one of 5 numbers from 1 on, 1 apart'],
    ['auto', slurm(3, 1, 3, 0), 'SLURM_ARRAY_TASK_ID=3 is not one of 3 numbers'],
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
