import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureWritable } from '../../base/node/write-file.ts';
import { readResults } from '../read-results.ts';
import { colorsFor, widthOf } from './colors.ts';
import { defineReporter, reporters, writesFile } from './reporters.ts';
import { appendStepSummary, wholeReport, writeReports } from './write-report.ts';

const example = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const all = reporters.items.map(({ name }) => name);

it('writes every report into a folder it makes, and nothing else', async () => {
  const out = join(folder, 'a/b');
  ensureWritable(out);
  expect(readdirSync(out)).toEqual([]);
  writeFileSync(join(out, 'results.json'), 'old');
  const paths = await writeReports(example, { reporters: [...all, 'json'], out });
  expect(paths).toEqual(reporters.items.filter(writesFile).map(({ file }) => join(out, file)));
  const files = ['junit.xml', 'report.html', 'results.json', 'results.txt', 'summary.md'];
  expect(readdirSync(out).sort()).toEqual(files);
  expect(readResults(readFileSync(join(out, 'results.json'), 'utf8'), 'it')).toEqual(example);
});

it('links the page to the results where they are written beside it alone', async () => {
  const linked = async (...reporters: string[]) => {
    await writeReports(example, { reporters, out: folder });
    return readFileSync(join(folder, 'report.html'), 'utf8').includes('<a href="results.json">');
  };
  expect(await linked('html')).toBe(false);
  expect(await linked('html', 'json')).toBe(true);
});

it('refuses a folder that cannot be, before the run and after', async () => {
  writeFileSync(join(folder, 'file'), '');
  for (const out of [join(folder, 'file'), join(folder, 'file/below')]) {
    for (const attempt of [
      async () => ensureWritable(out),
      () => writeReports(example, { reporters: ['json'], out }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'report-unwritable',
        exitCode: 2,
        message: expect.stringMatching(
          /: (a file is in the way|a part of its path is not a folder)\. Give --out/,
        ),
      });
    }
  }
});

it.runIf(process.platform === 'linux')('ends where a folder of the system refuses', async () => {
  await expect(async () => ensureWritable('/proc/none/below')).rejects.toMatchObject({
    code: 'report-unwritable',
    message: expect.stringContaining('/proc is not writable'),
  });
});

it('leaves no half-written file where a report cannot take its place', async () => {
  mkdirSync(join(folder, 'results.json/full'), { recursive: true });
  await expect(writeReports(example, { reporters: ['json'], out: folder })).rejects.toMatchObject({
    code: 'report-unwritable',
    message: expect.stringContaining('it is a folder'),
  });
  expect(readdirSync(folder)).toEqual(['results.json']);
});

it('suggests a reporter for an unknown one', () => {
  expect(reporters.find('json')).toMatchObject({ file: 'results.json' });
  expect(() => reporters.find('jnuit')).toThrow('Unknown reporter "jnuit". Did you mean "junit"?');
});

it('appends to the summary of a step, where there is a step', async () => {
  const path = join(folder, 'summary');
  writeFileSync(path, 'before\n');
  expect(await appendStepSummary(example, { GITHUB_STEP_SUMMARY: path })).toBe(true);
  expect(readFileSync(path, 'utf8')).toMatch(/^before\n\n## ❌ gemm-paranoia: fail\n/);
  expect(await appendStepSummary(example, {})).toBe(false);
  expect(await appendStepSummary(example, { GITHUB_STEP_SUMMARY: '' })).toBe(false);
  const missing = { GITHUB_STEP_SUMMARY: join(folder, 'none/summary') };
  await expect(appendStepSummary(example, missing)).rejects.toMatchObject({
    code: 'summary-unwritable',
    message: expect.stringContaining('its folder does not exist. GITHUB_STEP_SUMMARY names this file'),
  });
});

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('colours: terminal %s, environment %j: %s', (isTTY, env, wanted) => {
  expect(colorsFor({ isTTY, write: () => true }, env).isColorSupported).toBe(wanted);
});

it.each([
  [{ columns: 88 }, {}, 88],
  [{ columns: 88 }, { COLUMNS: '60' }, 88],
  [{}, { COLUMNS: '60' }, 60],
  [{}, { COLUMNS: '1' }, 20],
  [{}, { COLUMNS: 'wide' }, 100],
  [{}, { COLUMNS: '' }, 100],
  [{}, {}, 100],
])('width: terminal %j, environment %j: %i', (terminal, env, wanted) => {
  expect(widthOf({ ...terminal, write: () => true }, env)).toBe(wanted);
});

it('names the file that holds all results, the easiest to read', () => {
  expect(wholeReport({ reporters: ['junit', 'json'], out: 'x' })).toBe(join('x', 'results.json'));
  expect(wholeReport({ reporters: ['json', 'table'], out: 'x' })).toBe(join('x', 'results.txt'));
  expect(wholeReport({ reporters: ['junit'], out: 'x' })).toBe(undefined);
});

it("writes a user's own report beside ours, and refuses one that cannot be a file of the folder", async () => {
  const short = defineReporter({
    name: 'short',
    what: 'the verdict alone',
    file: 'verdict.txt',
    render: ({ verdict }) => `${verdict}\n`,
  });
  const known = reporters.with([short]);
  const paths = await writeReports(example, { reporters: ['short', 'json'], out: folder, known });
  expect(paths).toEqual(['verdict.txt', 'results.json'].map((file) => join(folder, file)));
  expect(readFileSync(paths[0], 'utf8')).toBe('fail\n');
  await expect(writeReports(example, { reporters: ['short'], out: folder })).rejects.toThrow(
    'Unknown reporter "short"',
  );
  for (const wrong of [{ file: '../verdict.txt' }, { file: '..' }, { render: 'text' }, { name: 'a b' }]) {
    const attempt = () => defineReporter({ ...short, ...wrong } as typeof short);
    expect(attempt).toThrow(/reporter/);
  }
});
