import { describe, expect, it } from 'vitest';
import { type FuzzCampaignOptions, runCampaign } from '../src/fuzz/campaign.ts';
import { maximize } from '../src/fuzz/maximize.ts';
import { objectives } from '../src/fuzz/objective.ts';
import { runFuzz } from '../src/fuzz/run-fuzz.ts';
import { targetOf } from '../src/fuzz/target.ts';
import { deviceLost } from '../src/gpu/messages.ts';
import { inputs } from '../src/inputs/inputs.ts';
import type { Kernel } from '../src/kernels/kernel.ts';
import { corruptKernel, tamperKernel } from '../src/kernels/tampered.testing.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { cpuJudge, judgeByModel } from './cpu-judge.ts';

const strassen = judgeByModel('strassen:model');
const classical = judgeByModel('classical:model');

function campaign(more: Partial<FuzzCampaignOptions> = {}) {
  const cases: string[] = [];
  const outcome = runCampaign({
    targets: [targetOf(strassen), targetOf(classical)],
    space: { maxSize: 8, families: inputs },
    judge: cpuJudge(),
    seed: 5,
    runs: 60,
    stop: () => false,
    onJudged: (judged) => cases.push(formatCase(judged.case)),
    ...more,
  });
  return outcome.then((found) => ({ ...found, cases }));
}

/** Makes a kernel whose result is wrong where a test is true. */
const wrongWhere = (kernel: Kernel, test: () => boolean): Kernel =>
  corruptKernel(kernel, ({ c }) => {
    if (test()) c.data[0] += 1e6;
  });

describe('a campaign', () => {
  it('passes honest kernels, and counts what it visited', async () => {
    const { verdict, count, coverage, findings, shown } = await campaign();
    expect(verdict).toBe('pass');
    expect(findings).toEqual([]);
    expect(count).toMatchObject({ run: 120, fail: 0, equalToModel: count.comparedWithModel });
    expect(coverage.counts.kernel).toEqual({ 'strassen:model': 60, 'classical:model': 60 });
    expect(coverage.counts.sizes).toMatchObject({ 1: expect.any(Number), '2^e ± 1': expect.any(Number) });
    expect(Object.keys(coverage.counts.input)).toEqual(expect.arrayContaining(['integers', 'subnormals']));
    expect(coverage.exponents.a?.least).toBeLessThan(coverage.exponents.a?.largest ?? 0);
    expect(shown.length).toBeGreaterThan(3);
  });

  it('draws the same cases of the same seed, whatever stops it, and shares them', async () => {
    const whole = await campaign({ targets: [targetOf(strassen)] });
    const again = await campaign({ targets: [targetOf(strassen)] });
    expect(again.cases).toEqual(whole.cases);
    const parts = [0, 1].map((part) =>
      campaign({ targets: [targetOf(strassen)], mine: (run) => run % 2 === part }),
    );
    const [even, odd] = (await Promise.all(parts)).map(({ cases }) => cases);
    expect(whole.cases).toEqual(even.flatMap((text, at) => [text, odd[at]]).slice(0, 60));
    expect((await campaign({ targets: [targetOf(strassen)], seed: 6 })).cases).not.toEqual(whole.cases);
  });

  it.each([
    [60, 'inconclusive', /^Ended after 48 judged cases of a kernel; a pass needs 100\.$/],
    [300, 'pass', /No violation in/],
  ])('ended after about %d cases is %s', async (most, verdict, reason) => {
    let count = 0;
    const ended = await campaign({
      runs: Number.POSITIVE_INFINITY,
      onJudged: () => count++,
      stop: () => count >= most,
    });
    expect(ended).toMatchObject({ verdict, interrupted: true });
    expect(ended.reason).toMatch(reason);
  });

  it('goes on with other kernels after a violation', async () => {
    const judge = cpuJudge((name) =>
      name === 'classical:model' ? wrongWhere(classical, () => true) : strassen,
    );
    const { verdict, findings, count } = await campaign({ judge });
    expect(verdict).toBe('fail');
    expect(findings).toHaveLength(1);
    expect(findings[0].case).toMatch(/kernel=classical:model;levels=0.*m=1;k=1;n=1/);
    // The rest of its batch and as many more cases show what failures share.
    expect(count.run).toBe(60 + 2 * 48);
    expect(count.fail).toBeGreaterThan(60);
  });

  it('says of a failure that it does not always happen', async () => {
    let products = 0;
    // It multiplies once for each case, so that of eight runs after the failure four fail, wherever the failure occurred.
    const once = { ...strassen, claims: { deterministic: false } };
    const judge = cpuJudge(() => wrongWhere(once, () => products++ % 2 === 0));
    const { findings, reason } = await campaign({ judge, targets: [targetOf(once)] });
    expect(findings).toMatchObject([{ shrinks: 0, unsteady: { failed: 5, runs: 9 } }]);
    expect(findings[0].case).toBe(findings[0].drawnCase);
    expect(reason).toMatch(/^A violation was found, which ends a search; \d+ cases? ran/);
  });

  it('takes a kernel that throws for one that fails, and a lost device for neither', async () => {
    const throws = (error: Error) => tamperKernel(strassen, () => Promise.reject(error));
    const thrown = await campaign({ judge: cpuJudge(() => throws(new Error('no'))), runs: 3 });
    expect(thrown.findings[0]).toMatchObject({
      check: 'runs',
      message: 'strassen:model threw an error: no.',
    });
    const lost = deviceLost({ kernel: 'k', step: 's', why: 'gone' });
    const { verdict, count } = await campaign({ judge: cpuJudge(() => throws(lost)), runs: 3 });
    expect({ verdict, count }).toMatchObject({ verdict: 'inconclusive', count: { run: 6, inconclusive: 6 } });
  });

  it('of a kernel that takes no shape is refused', async () => {
    const none = { ...strassen, refuses: () => 'it takes none' };
    await expect(campaign({ targets: [targetOf(none)] })).rejects.toMatchObject({ code: 'no-cases' });
  });

  it('draws the whole GEMM for kernels that take it', async () => {
    const takes = { transposed: true, leadingDimensions: true, beta: true };
    const some = { ...strassen, takes };
    const { coverage } = await campaign({ targets: [targetOf(some)], judge: cpuJudge(() => some) });
    expect(Object.keys(coverage.counts.beyond).toSorted()).toEqual([
      'beta',
      'leadingDimensions',
      'nothing',
      'transposed',
    ]);
  });
});

describe('a search for the largest error', () => {
  const search = (runs: number, kernel = strassen) =>
    maximize({
      target: targetOf(kernel),
      space: { maxSize: 16, families: inputs },
      judge: cpuJudge(() => kernel),
      objective: objectives[0],
      seed: 1,
      runs,
      stop: () => false,
    });

  it('finds larger ones the longer it goes on, and the same again', async () => {
    const [short, long, again] = [await search(48), await search(192), await search(192)];
    expect(long.champion?.value).toBeGreaterThan(short.champion?.value ?? Number.NaN);
    expect(again.champion?.result.case).toBe(long.champion?.result.case);
    expect(long.violation).toBeUndefined();
  });

  it('ends with a violation', async () => {
    const { violation } = await search(
      48,
      wrongWhere(strassen, () => true),
    );
    expect(violation?.result.verdict).toBe('fail');
  });
});

describe('fuzzing', () => {
  const options = (kernel: Kernel) => ({
    targets: [targetOf(kernel)],
    space: { maxSize: 8, families: inputs },
    judge: cpuJudge(() => kernel),
    ...{ seed: 1, runs: 48, corpus: [], stop: () => false },
  });

  it('reports the champion of a search', async () => {
    const [, bound] = objectives;
    const { fuzz, verdict, reason, cases, summary } = await runFuzz({
      ...options(strassen),
      objective: bound,
    });
    expect(verdict).toBe('pass');
    expect(reason).toMatch(/^The largest error of 48 cases is 0\.\d+ of the running bound\.$/);
    expect(fuzz.champions).toMatchObject([{ objective: 'of the running bound', case: cases[0].case }]);
    expect(summary).toMatchObject({ planned: 48, run: 48, interrupted: false });
  });

  it('runs the corpus first, and fails with it', async () => {
    const value = parseCase('kernel=strassen:model;m=2;k=2;n=2');
    const judge = cpuJudge(() => wrongWhere(strassen, () => first));
    let first = true;
    const found = await runFuzz({
      ...options(strassen),
      judge,
      corpus: [{ ...value, series: false }],
      onFinding: () => {
        first = false;
      },
    });
    expect(found).toMatchObject({ verdict: 'fail', fuzz: { corpus: 1, findings: [{ shrinks: 0 }] } });
    expect(found.reason).toMatch(
      /^Of 1 case saved by earlier runs, 1 failed again. No violation in \d+ judged cases/,
    );
    expect(found.findings[0]).not.toHaveProperty('path');
  });

  it('runs the case of a path alone', async () => {
    const wrong = wrongWhere(strassen, () => true);
    const whole = await runFuzz(options(wrong));
    const { seed, path, case: smallest } = whole.findings[0];
    const again = await runFuzz({ ...options(wrong), seed, path });
    expect(again.findings).toMatchObject([{ case: smallest, check: whole.findings[0].check }]);
    expect(again.summary).toMatchObject({ planned: 1, run: 1, fail: 1 });
    expect(await runFuzz({ ...options(strassen), seed, path })).toMatchObject({ verdict: 'pass' });
  });
});
