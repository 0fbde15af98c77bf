import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runCommand } from '../../src/cli/in-process.testing.ts';
import { commands } from '../commands.ts';
import { freshKernel, listCorpusKernels } from './corpora.ts';
import { Outcomes } from './outcomes.ts';
import type { GradersReport } from './report.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graders-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(flags: Record<string, unknown>) {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const code = await runCommand(['graders', ...words], commands);
  return { code, text: out.mock.calls.flat().join(''), progress: err.mock.calls.flat().join('') };
}

itWhole('asks, writes what came of it, goes on where it ended, and mixes nothing', async () => {
  const out = join(folder, 'run');
  const flags = { graders: 'backend-bench,lapack', set: 'unseen', sample: '3', most: '4096', out };
  const first = await run(flags);
  expect(first.code).toBe(EXIT.pass);
  expect(first.progress).toContain(`6 tests to run, 0 already in ${out}.`);
  expect(first.text).toMatch(/^lapack +\d+ %/m);
  const report: GradersReport = JSON.parse(await readFile(join(out, 'graders.json'), 'utf8'));
  expect(report.specimens).toHaveLength(3);
  expect(report.specimens[0].asked).toEqual(['backend-bench', 'lapack']);
  expect(report.tallies.map(({ grader }) => grader)).toEqual(['backend-bench', 'lapack']);
  expect(await readFile(join(out, 'graders.md'), 'utf8')).toContain('## The best improvement of each grader');
  expect(await readFile(join(out, 'graders.html'), 'utf8')).toContain('Cost and faults caught');

  // The question of a truncated last line is asked again, and no other.
  const file = join(out, 'outcomes.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  await writeFile(file, `${lines.slice(0, -1).join('\n')}\n`);
  await appendFile(file, lines.at(-1)?.slice(0, 20) ?? '');
  const again = await run(flags);
  expect(again.progress).toContain(`1 test to run, 5 already in ${out}.`);
  const { tallies }: GradersReport = JSON.parse(await readFile(join(out, 'graders.json'), 'utf8'));
  expect(tallies.map(({ all }) => all)).toEqual(report.tallies.map(({ all }) => all));

  await expect(run({ ...flags, seed: '2' })).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/has outcomes for .*--seed 1.*, but this run has .*--seed 2.*--out/),
  });
});

test.each([
  [{ graders: 'lapak' }, /Unknown value of --graders "lapak"\. Did you mean "lapack"\?/],
  [{ set: 'histories' }, /Unknown value of --set "histories"/],
  [{ most: '0' }, /--most must be a whole number from 1 to 2\^40, but is "0"/],
  [{ sample: '0' }, /--sample must be a whole number from 1 to 10000/],
  [{ out: '/dev/null/x' }, /^Cannot write the report .*: a part of its path is not a folder/],
])('%o is refused', async (flags, message) => {
  await expect(run({ graders: 'lapack', set: 'unseen', sample: '1', ...flags })).rejects.toThrow(message);
});

test.each([
  ['garbage\n', /^Line 1 of .*outcomes\.jsonl is not an outcome of a grader/],
  ['{"version":"0","seed":1,"most":1}\n{"grader":3}\n', /^Line 2 of .*is not an outcome/],
])('a file of outcomes that nobody wrote is refused and left: %j', async (text, message) => {
  const file = join(folder, 'outcomes.jsonl');
  await writeFile(file, text);
  expect(() => new Outcomes(folder, { version: '0', seed: 1, most: 1 })).toThrow(message);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('what cannot be kept is told', () => {
  expect(() => new Outcomes('/dev/null/x', { version: '0', seed: 1, most: 1 })).toThrow(
    /^Cannot write the report /,
  );
});

test('every kernel of history is found, and remembers nothing when it is loaded anew', async () => {
  const all = await listCorpusKernels(['history'], { seed: 1, mutants: 0 });
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(({ source: { file }, fault }) => file === undefined || fault === undefined)).toEqual([]);
  const [one, other] = [await freshKernel(all[0].source), await freshKernel(all[0].source)];
  expect([one.name, other.name]).toEqual([all[0].name, all[0].name]);
  expect(one.multiply).not.toBe(other.multiply);
});
