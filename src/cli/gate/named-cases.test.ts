import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole, itWhole } from '../../base/in-short.testing.ts';
import { readResults } from '../../pages/read-results.ts';
import type { Results } from '../../run/results.ts';
import { runHere } from '../in-process.testing.ts';
import { lastFailed, readReplayedCase } from './earlier-run.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'named-cases-'));
});
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'run-'));

const gate = (cwd: string, ...args: readonly string[]) =>
  runHere(cwd, ['gate', '--adapter', 'software', '--reporter', 'json', '--out', 'out', ...alone, ...args]);
const resultsIn = async (folder: string): Promise<Results> =>
  JSON.parse(await readFile(join(folder, 'out/results.json'), 'utf8'));

/** One process: judging processes take seconds to start. */
const alone = isWhole ? [] : ['--jobs', '1'];

const HONEST = 'kernel=classical:naive;input=integers;m=4;k=3;n=2';
const FAULTY = 'kernel=classical:naive;input=integers;m=9;k=8;n=7;fault=dropped-last-k';
const OTHER = 'kernel=classical:naive;input=integers;m=10;k=8;n=7;fault=dropped-last-k';

it.each([
  [undefined, 1],
  [{ failed: 9, runs: 10 }, 12],
  [{ failed: 1, runs: 10 }, 100],
  [{ failed: 0, runs: 10 }, 100],
])(
  '--replay of a case that failed by chance (%j) repeats its product, %d times',
  async (unsteady, repeats) => {
    const folder = await newFolder();
    await gate(folder, '--case', FAULTY);
    const results = await resultsIn(folder);
    const [result] = results.cases;
    const groups = results.groups?.map(({ smallerExample: _, ...group }) => group);
    const changed = { ...results, groups, cases: [{ ...result, ...(unsteady && { unsteady }) }] };
    await writeFile(join(folder, 'out/results.json'), JSON.stringify(changed));
    const [replayed] = await readReplayedCase(join(folder, 'out'), 1);
    expect(replayed.problem).toMatchObject({ m: 9, k: 8, n: 7, repeats });
  },
);

describe('--last-failed', () => {
  it('runs what failed, as long as it does', async () => {
    const folder = await newFolder();
    await gate(folder, '--case', HONEST, '--case', FAULTY, '--case', OTHER);
    expect((await gate(folder, '--last-failed')).code).toBe(1);
    expect((await resultsIn(folder)).cases).toHaveLength(2);
    expect((await gate(folder, '--last-failed', '--kernel', 'classical:naive')).code).toBe(1);
    const others = await gate(folder, '--last-failed', '--kernel', 'classical:tiled');
    expect(others).toEqual({
      code: 0,
      stdout: '',
      stderr: `No case of classical:tiled failed in ${join('out', 'results.json')}, so no case runs again.\n`,
    });
  });

  it('needs results that can be read, of kernels that are there', async () => {
    const folder = await newFolder();
    const none = await gate(folder, '--last-failed');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(
      `but ${join('out', 'results.json')} does not exist. Run the gate once with --reporter json`,
    );
    const file = join(folder, 'out/results.json');
    await gate(folder, '--case', FAULTY);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('kernel=classical:naive', 'kernel=gone'));
    const gone = await gate(folder, '--last-failed');
    expect(gone.code).toBe(2);
    expect(gone.stderr).toMatch(/^kernel=gone;.* failed, but cannot run again: .*\. Name the kernels and/);
  });

  itWhole('keeps the cases after which one fails, and leaves out waived failures', async () => {
    const folder = await newFolder();
    await gate(folder, '--case', FAULTY, '--case', OTHER);
    const file = join(folder, 'out/results.json');
    const results = readResults(await readFile(file, 'utf8'));
    const [one, other] = results.cases;
    const cases = [
      { ...one, after: [other.case] },
      { ...other, waiver: { reason: 'known', expires: '2099-01-01' } },
    ];
    const summary = { ...results.summary, waived: 1 };
    await writeFile(file, JSON.stringify({ ...results, summary, cases }));
    const found = await lastFailed(join(folder, 'out'), undefined);
    expect(found).toMatchObject([{ problem: { m: 9 }, after: [{ problem: { m: 10 } }] }]);
  });
});

describe('--fault', () => {
  itWhole('is planted in the cases that a gate has for its kernel', async () => {
    const folder = await newFolder();
    const { code } = await gate(folder, '--fault', 'dropped-last-k');
    expect(code).toBe(1);
    const [{ case: text, kernel }] = (await resultsIn(folder)).cases;
    expect([kernel, text]).toEqual(['classical:naive', expect.stringContaining(';fault=dropped-last-k')]);
  });

  it('is one of the list', async () => {
    const { code, stderr } = await gate(await newFolder(), '--fault', 'droped-last-k');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "dropped-last-k"?')]);
  });
});

it.each([
  [['--case', FAULTY, '--last-failed'], '--case cannot be combined with --last-failed'],
  [['--last-failed', '--size', '4'], '--last-failed cannot be combined with --size'],
  [['--fault', 'dropped-last-k', '--kernel', 'strassen'], '--fault cannot be combined with --kernel'],
  [['--fault', 'dropped-last-k', 'matmul.mjs'], '--fault cannot be combined with kernels in files'],
  [['--fault', 'dropped-last-k', '--update'], '--update cannot be combined with --fault'],
  [['--case', FAULTY, '--open'], '--open requires --reporter html'],
])('%j is not taken', async (args, why) => {
  const folder = await newFolder();
  await writeFile(
    join(folder, 'matmul.mjs'),
    'export const f = (a, b, { m, n }) => new Float32Array(m * n);',
  );
  expect(await gate(folder, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
});
