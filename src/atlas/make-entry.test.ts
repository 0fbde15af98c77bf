import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { LARGEST_ENTRY } from './entry.ts';
import { fitStatement, makeStatement } from './make-entry.ts';
import { makeTestEntry, publishedRun } from './run.testing.ts';

const raw = { bytes: 1, sha256: 'x' };

it('keeps what a run says in a fifth of its size', () => {
  const run = publishedRun();
  const entry = makeTestEntry(run);
  const [kernel] = entry.kernels;
  expect(kernel).toMatchObject({
    kernel: 'tfjs:webgpu',
    precision: 'f32',
    counts: { cases: 181, pass: 175, fail: 6 },
    grade: 'A',
    versions: { webgpu: '0.6.2' },
  });
  expect(kernel.cases.map(({ case: text }) => text).sort()).toEqual(
    run.cases.map((result) => result.case).sort(),
  );
  expect(kernel.failures?.map(({ says }) => says)).toEqual([
    '3 of 4 cases with k = 0 failed',
    expect.stringMatching(/^3 more of 181 cases failed/),
  ]);
  for (const { example } of kernel.failures ?? [])
    expect(example.replay).toContain(`--case '${example.case}'`);
  expect(entry.probe?.length).toBe(run.probe?.length);
  expect(JSON.stringify(entry).length).toBeLessThan(JSON.stringify(run).length / 5);
});

it('says nothing of where its output went, and all else of its command', () => {
  const { command, ...run } = publishedRun();
  expect(command).toContain('--out reports/clients/tfjs-webgpu');
  expect(makeStatement({ ...run, command }, { raw }).run.command).toBe(
    'gemm-paranoia gate --adapter software --kernel tfjs:webgpu',
  );
});

itWhole('takes the worst of random inputs, and beside a failure what holds without it', () => {
  const run = publishedRun();
  const { worst } = makeStatement(run, { raw }).kernels[0];
  expect(Number(worst.bits)).toBeCloseTo(19.926, 2);
  const [failing] = run.cases.filter(({ checks }) => checks.some(({ name }) => name === 'sigma'));
  Object.assign(failing, { verdict: 'fail' });
  Object.assign(failing.exact ?? {}, { bits: 3 });
  expect(makeStatement(run, { raw }).kernels[0].worst).toMatchObject({ bits: 3, passingBits: worst.bits });
});

it('leaves out passing cases where there is no room, and tells of all', () => {
  const statement = makeStatement(publishedRun(), { raw });
  expect(fitStatement(statement, LARGEST_ENTRY)).toBe(statement);
  const most = 70_000;
  const small = fitStatement(statement, most);
  expect(JSON.stringify(small).length).toBeLessThan(most);
  expect(JSON.stringify(small).length).toBeGreaterThan(most - 21_000);
  const [kept, all] = [small?.kernels[0], statement.kernels[0]];
  expect(kept?.counts).toEqual(all.counts);
  expect(kept?.cases.filter(({ verdict }) => verdict === 'fail').length).toBe(6);
  expect(fitStatement(statement, 20_000)).toBeUndefined();
});
