import { expect, it } from 'vitest';
import { inShort, itWhole } from '../base/in-short.testing.ts';
import { LARGEST_ENTRY } from './entry.ts';
import { fitted } from './fit.ts';
import { makeStatement } from './make-entry.ts';
import { entryFaults } from './read-entry.ts';
import { entryOf, publishedRun } from './run.testing.ts';

const NOW = new Date('2026-12-01T00:00:00Z');
const raw = { bytes: 1, sha256: 'x' };

it('keeps what a run says in a fifth of its size', () => {
  const run = publishedRun();
  const entry = entryOf(run);
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
    '3 of 4 cases with k = 0 fail',
    expect.stringMatching(/^3 more of 181 cases fail/),
  ]);
  for (const { example } of kernel.failures ?? [])
    expect(example.replay).toContain(`--case '${example.case}'`);
  expect(entry.probe?.length).toBe(run.probe?.length);
  expect(JSON.stringify(entry).length).toBeLessThan(JSON.stringify(run).length / 5);
  expect(entryFaults(entry, NOW)).toEqual([]);
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
  expect(fitted(statement, LARGEST_ENTRY)).toBe(statement);
  const most = 70_000;
  const small = fitted(statement, most);
  expect(JSON.stringify(small).length).toBeLessThan(most);
  expect(JSON.stringify(small).length).toBeGreaterThan(most - 21_000);
  const [kept, all] = [small?.kernels[0], statement.kernels[0]];
  expect(kept?.counts).toEqual(all.counts);
  expect(kept?.cases.filter(({ verdict }) => verdict === 'fail').length).toBe(6);
  expect(entryFaults({ ...(small ?? statement), hash: '' }, NOW)).toEqual([]);
  expect(fitted(statement, 20_000)).toBeUndefined();
});

it.each(
  inShort(
    [
      [
        'counts of other cases',
        (entry) => Object.assign(entry.kernels[0].counts, { pass: 176, fail: 5 }),
        /counts/,
      ],
      ['counts that do not add up', (entry) => Object.assign(entry.kernels[0].counts, { pass: 3 }), /add up/],
      ['better bits', (entry) => Object.assign(entry.kernels[0].worst, { bits: 23 }), /the worst/],
      [
        'a verdict that is none of its',
        (entry) => Object.assign(entry.run, { verdict: 'pass' }),
        /its verdict/,
      ],
      ['mirrors', (entry) => Object.assign(entry.kernels[0].counts, { mirrored: 1 }), /mirror/],
      [
        'a case of another kernel',
        (entry) => Object.assign(entry.kernels[0].cases[0], { case: 'kernel=x;m=1;k=1;n=1' }),
        /no case of it/,
      ],
      [
        'a text that is no case',
        (entry) => Object.assign(entry.kernels[0].cases[0], { case: 'x' }),
        /no case of it/,
      ],
      [
        'a day to come',
        (entry) => Object.assign(entry.run, { createdAt: '2027-01-01T00:00:00Z' }),
        /has not been/,
      ],
      ['a kernel twice', (entry) => entry.kernels.push(entry.kernels[0]), /twice/],
    ] as readonly (readonly [string, (entry: ReturnType<typeof entryOf>) => unknown, RegExp])[],
    3,
  ),
)('an entry with %s contradicts itself', (_, spoil, fault) => {
  const entry = structuredClone(entryOf());
  spoil(entry);
  expect(entryFaults(entry, NOW).join()).toMatch(fault);
});
