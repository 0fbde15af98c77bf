import { describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import type { Fingerprint, Machine } from '../gpu/device.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { corruptKernel } from '../kernels/tampered.testing.ts';
import { jsonReport } from '../pages/json.ts';
import { readResults } from '../pages/read-results.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { noBaselines } from './baselines.ts';
import { type MergeOptions, mergeResults } from './merge.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Results } from './results.ts';
import { RESULTS_SCHEMA } from './results-schema.ts';
import { runGate } from './run-gate.ts';
import { casesOfShard, describeCampaign, type Shard } from './shard.ts';
import { readWaiver, type Waiver } from './waivers.ts';

const arithmetic = { ...emulated, fma: 'once' } as const;
const fingerprint: Fingerprint = {
  ...{ id: 'processor-1', kind: 'software', name: 'processor', vendor: '', architecture: '', device: '' },
  ...{ driver: '', backend: 'none', dawn: '', features: [], toggles: [] },
};
const machine: Machine = { arithmetic, fingerprint, chosenBecause: 'it is there', close: () => undefined };

/** Returns a kernel that is right but for one entry of products with 13 rows. */
const flawed = (name: string): Kernel => {
  const kernel = modelKernel(name.split(':')[0], singleComputation(arithmetic));
  return corruptKernel({ ...kernel, name }, ({ c }) => {
    if (c.rows === 13) c.data[3] += 1;
  });
};

const campaign = planCampaign({
  ...defaultCampaign,
  kernels: ['classical:naive', 'strassen:naive'],
  inputs: ['integers', 'uniform'],
  levels: [0, 1],
  shapes: [
    { m: 2, k: 3, n: 5 },
    { m: 13, k: 17, n: 19 },
    { m: 16, k: 16, n: 16 },
  ],
  combinations: false,
  plain: true,
}).filter(({ problem: { n, seed } }) => n <= 64 && seed <= 2);
/** Number of cases that `flawed` spoils. All of them fail. */
const spoiled = campaign.filter(({ problem: { m } }) => m === 13).length;
const known: Waiver = { case: 'm=13', reason: 'Known.', expires: '2999-12-31' };
const evaluator = new Evaluator(exactProduct);

async function run(
  shard?: Shard,
  waivers: readonly Waiver[] = [known],
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const part = shard === undefined ? undefined : casesOfShard(campaign, shard);
  const planned: readonly PlannedCase[] = part?.cases ?? campaign;
  let done = 0;
  const { open: _, ...found } = await runGate(planned, {
    ...{
      open: machine,
      reopen: async () => machine,
      kernelOf: async ({ kernel }) => flawed(kernel),
      evaluator,
    },
    ...{ thresholds: defaultThresholds, baselines: noBaselines('processor-1') },
    ...{ waivers: waivers.map((waiver) => readWaiver(waiver)), whole: shard === undefined },
    ...{ onCase: () => done++, stop: () => done >= stopAfter },
  });
  const results: Results = {
    ...{
      schema: RESULTS_SCHEMA,
      version: '1.2.3',
      command: `gate ${shard?.index}`,
      seed: 1,
      createdAt: '2026-07-01T12:00:00Z',
    },
    ...{
      adapter: { ...fingerprint, features: [], toggles: [], chosenBecause: '' },
      arithmetic: { ...arithmetic },
    },
    ...found,
    campaign: await describeCampaign(campaign, { thresholds: defaultThresholds, whole: true }),
    ...(shard === undefined ? {} : { shard: { ...shard, places: part?.places ?? [] } }),
  };
  const file = shard === undefined ? 'all.json' : `${shard.index}.json`;
  return { file, results: readResults(jsonReport(results), file) };
}

const stamp = { createdAt: '2026-07-02T00:00:00Z', version: '1.2.3', command: 'merge' };
const merge = (sources: readonly { file: string; results: Results }[], options: Partial<MergeOptions> = {}) =>
  mergeResults(sources, { allowMixed: false, stamp, ...options });
const withoutTimes = ({ mergedRuns: _m, shard: _s, createdAt: _c, command: _d, ...rest }: Results) => ({
  ...rest,
  summary: { ...rest.summary, seconds: 0 },
  cases: rest.cases.map(({ seconds: _, judgingSeconds: __, ...result }) => result),
});

const whole = await run();
const shards = await Promise.all([1, 2, 3].map((index) => run({ index, of: 3 })));

describe('the results of all shards', () => {
  itWhole('have the smaller cases and the excerpts of the examples of their groups', async () => {
    const failing = await Promise.all([1, 2].map((index) => run({ index, of: 2 }, [])));
    const shrunk = { case: 'm=1', replay: 'gate', reason: 'Wrong.' };
    const sources = failing.map(({ file, results }) => ({
      file,
      results: { ...results, groups: results.groups?.map((group) => ({ ...group, smallerExample: shrunk })) },
    }));
    const { groups = [], cases } = merge(sources);
    expect(groups.length).toBeGreaterThan(0);
    for (const group of groups) expect(group.smallerExample).toEqual(shrunk);
    const shown = cases.filter(({ excerpt }) => excerpt !== undefined);
    expect(shown.map((result) => result.case).sort()).toEqual(groups.map(({ example }) => example).sort());
  });

  it('are those of the campaign, whatever their order', () => {
    expect(whole.results).toMatchObject({
      verdict: 'pass',
      summary: { planned: campaign.length, fail: spoiled, waived: spoiled },
    });
    expect(whole.results.growth.some(({ slope }) => slope !== undefined)).toBe(true);
    for (const { results } of shards) expect(results.cases.length).toBeGreaterThan(2);
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const merged = merge(order.map((at) => shards[at]));
      expect(withoutTimes(merged)).toEqual(withoutTimes(whole.results));
      expect(readResults(jsonReport(merged), 'merged')).toEqual(merged);
    }
  });

  it('are joined once where a shard was run twice', async () => {
    const again = { ...(await run({ index: 2, of: 3 })), file: 'again.json' };
    expect(withoutTimes(merge([...shards, again]))).toEqual(withoutTimes(whole.results));
  });

  it('say where they are from', () => {
    expect(merge(shards).mergedRuns).toContainEqual({
      ...{ file: '2.json', command: 'gate 2', createdAt: '2026-07-01T12:00:00Z', shard: '2/3' },
    });
  });

  it('settle waivers that no shard could tell of', async () => {
    const waivers = [known, { ...known, case: 'm=2' }];
    const parts = await Promise.all([1, 2, 3].map((index) => run({ index, of: 3 }, waivers)));
    for (const { results } of parts) expect(results.verdict).toBe('pass');
    expect(merge(parts)).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(
        /^The waiver of "m=2" is unused, since no case that it matches fails \(\d+ cases\)/,
      ),
      waivers: [
        { state: 'used', failed: spoiled },
        { state: 'unused', failed: 0 },
      ],
    });
  });

  it('judge waivers by the day of the run', async () => {
    const waivers = [{ ...known, expires: '2026-07-01' }];
    const parts = shards.map(({ file, results }) => ({
      file,
      results: { ...results, waivers: results.waivers?.map((one) => ({ ...one, ...waivers[0] })) },
    }));
    expect(merge(parts).verdict).toBe('pass');
    const later = parts.map(({ file, results }) => ({
      file,
      results: { ...results, createdAt: '2026-07-02T00:00:01Z' },
    }));
    expect(merge(later)).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(
        new RegExp(`^${spoiled} of \\d+ cases failed. The waiver of "m=13" expired on 2026-07-01`),
      ),
      waivers: [{ state: 'expired' }],
    });
  });
});

describe('some of the shards', () => {
  it('are never a pass, and say which are missing', () => {
    const merged = merge(shards.slice(0, 2));
    expect(merged).toMatchObject({ verdict: 'inconclusive', reason: 'Shard 3 of 3 is missing.' });
    expect(merged.summary).toMatchObject({ planned: campaign.length, interrupted: true });
    expect(merge(shards.slice(1, 2)).reason).toBe('Shards 1 and 3 of 3 are missing.');
    expect(merged.waivers).not.toContainEqual(expect.objectContaining({ state: 'unused' }));
  });

  it('fail where a case of them does', async () => {
    const parts = await Promise.all([1, 2, 3].map((index) => run({ index, of: 3 }, [])));
    const failing = parts.find(({ results }) => results.verdict === 'fail');
    expect(merge([failing!])).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/cases failed\. Shards \d and \d of 3 are missing\.$/),
    });
  });

  it('may be unfinished, and are finished by another run of the same', async () => {
    const unfinished = await run({ index: 1, of: 3 }, [known], 2);
    const merged = merge([unfinished, ...shards.slice(1)]);
    expect(merged).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/^Interrupted after/),
    });
    const finished = merge([unfinished, ...shards.slice(1), { ...shards[0], file: 'finished.json' }]);
    expect(withoutTimes(finished)).toEqual(withoutTimes(whole.results));
  });

  itWhole('may be empty', async () => {
    const parts = await Promise.all(Array.from({ length: 60 }, (_, at) => run({ index: at + 1, of: 60 })));
    const empty = parts.filter(({ results }) => results.cases.length === 0);
    expect(empty.length).toBeGreaterThan(0);
    expect(empty[0].results).toMatchObject({ verdict: 'inconclusive', reason: 'Nothing was run.' });
    expect(withoutTimes(merge(parts))).toEqual(withoutTimes(whole.results));
    const reason = merge(parts.slice(0, 2)).reason;
    expect(reason).toBe('Shards 3, 4, 5, 6, 7, 8, 9, 10 and 50 more of 60 are missing.');
  });
});

type Change = (results: Results) => Partial<Results>;
const kernelsOf = (version: string): Partial<Results> => ({ versions: { tfjs: { tfjs: version } } });
const changed = (change: Change, first: Change = () => ({})) => [
  { ...shards[0], results: { ...shards[0].results, ...first(shards[0].results) } },
  { ...shards[1], results: { ...shards[1].results, ...change(shards[1].results) } },
  shards[2],
];

describe('runs of different kinds', () => {
  it.each<[string, Change, Change?]>([
    ['adapters', ({ adapter }) => ({ adapter: { ...adapter, id: 'other' } })],
    ['versions of gemm-paranoia', () => ({ version: '1.2.4' })],
    ['measured arithmetic', ({ arithmetic: own }) => ({ arithmetic: { ...own, fma: 'twice' } })],
    ['seeds', () => ({ seed: 2 })],
    ['sources of config and kernels', ({ campaign: own }) => ({ campaign: { ...own!, sources: 'b' } })],
    ['campaigns', ({ campaign: own }) => ({ campaign: { ...own!, id: '00000000' } })],
    ['campaigns', () => ({ campaign: undefined })],
    ['numbers of shards', ({ shard }) => ({ shard: { ...shard!, of: 4 } })],
    ['waivers', () => ({ waivers: [] })],
    ['versions of tfjs', () => kernelsOf('4.1'), () => kernelsOf('4.2')],
  ])(
    'differ in their %s, are refused, and say so where they are joined all the same',
    (what, change, first) => {
      const sources = changed(change, first);
      const differ = `differ in their ${what}`;
      expect(() => merge(sources)).toThrow(
        expect.objectContaining({
          code: 'mixed-results',
          message: expect.stringMatching(
            new RegExp(`^1\\.json and 2\\.json ${differ} \\(.* and .*\\); merge only`),
          ),
        }),
      );
      expect(merge(sources, { allowMixed: true }).notes).toContainEqual(expect.stringContaining(differ));
    },
  );

  it('are not those that met different kernels', () => {
    const one = { tfjs: { tfjs: '4.2' } };
    const other = { onnx: { onnx: '1.2' } };
    const merged = merge(
      changed(
        () => ({ versions: other }),
        () => ({ versions: one }),
      ),
    );
    expect(merged.versions).toEqual({ ...one, ...other });
  });

  it('keep the worse of two results of a case', () => {
    const worsen = (result: CaseResult): CaseResult => ({ ...result, verdict: 'fail', reason: 'Wrong.' });
    const first = shards[0].results;
    const other = {
      file: 'other.json',
      results: { ...first, cases: [worsen(first.cases[0]), ...first.cases.slice(1)] },
    };
    const name = first.cases[0].case;
    expect(() => merge([...shards, other])).toThrow(
      `1.json and other.json disagree on the case ${name} (pass and fail). Omit one of the files`,
    );
    for (const sources of [
      [...shards, other],
      [other, ...shards],
    ]) {
      const merged = merge(sources, { allowMixed: true });
      expect(merged.verdict).toBe('fail');
      expect(merged.cases.find((result) => result.case === name)?.reason).toBe('Wrong.');
      expect(merged.notes).toEqual([`The runs disagree on one case; the worse result is kept: ${name}`]);
    }
  });

  it('that hold a few of their cases are added up, each once', () => {
    const many = shards.map(({ file, results }) => ({
      file,
      results: {
        ...results,
        ...{ campaign: undefined, command: `fuzz --shard ${results.shard?.index}/3 --out ${file}` },
        ...{ waivers: undefined, cases: results.cases.slice(0, 1), growth: [] },
        summary: { ...results.summary, planned: 100, run: 100, pass: 100, fail: 0, waived: undefined },
      },
    }));
    expect(merge(many)).toMatchObject({ verdict: 'pass', summary: { planned: 300, run: 300, pass: 300 } });
    expect(merge(many.slice(1))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'Shard 1 of 3 is missing.',
    });
    expect(() => merge([...many, { ...many[1], file: 'again.json' }])).toThrow(
      'Cannot merge again.json: it is the same run as 2.json.',
    );
  });

  it('cannot be of gate and of fuzz', () => {
    const coverage = { counts: { input: { uniform: 50 } }, exponents: {} };
    const fuzz = { maxSize: 64, coverage, findings: [] };
    const drawn = shards.map(({ file, results: { waivers: _, ...rest } }) => ({
      file,
      results: { ...rest, fuzz },
    }));
    expect(() => merge([...shards.slice(0, 2), drawn[2]], { allowMixed: true })).toThrow(
      'Cannot merge 1.json: it is a run of gate, and 3.json one of fuzz.',
    );
    const merged = merge(drawn);
    expect(merged.fuzz?.coverage.counts).toEqual({ input: { uniform: 150 } });
    expect(merged).toMatchObject({
      verdict: 'pass',
      reason: expect.stringMatching(/^No violation in \d+ judged/),
    });
    expect(merge(drawn.slice(0, 2)).reason).toBe('Shard 3 of 3 is missing.');
  });

  it('cannot hold a study', () => {
    const study = { name: '', source: '', method: '', cells: [], counts: [] };
    expect(() =>
      merge(
        changed(() => ({ study })),
        { allowMixed: true },
      ),
    ).toThrow('Cannot merge 2.json: it holds a study');
  });
});
