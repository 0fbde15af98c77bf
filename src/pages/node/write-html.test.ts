import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeHtmlReport } from './write-html.ts';

const example = readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8');
let folder: string;
let results: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-html-'));
  results = join(folder, 'run.json');
  writeFileSync(results, example);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('writes beside the results, and refers to them', async () => {
  expect(await writeHtmlReport({ results })).toEqual([join(folder, 'report.html')]);
  expect(readdirSync(folder).sort()).toEqual(['report.html', 'run.json']);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<a href="run.json">');
});

it('copies the results into another folder, which it makes', async () => {
  const out = join(folder, 'a/b');
  await writeHtmlReport({ results, against: results, out });
  expect(readdirSync(out).sort()).toEqual(['report.html', 'results.json']);
  expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(example);
});

it('never overwrites what it reads', async () => {
  const out = join(folder, 'before');
  mkdirSync(out);
  const against = join(out, 'results.json');
  const page = join(out, 'report.html');
  for (const path of [against, page]) writeFileSync(path, example);
  for (const files of [{ results, against, out }, { results: page }, { results, against: page, out }]) {
    await expect(writeHtmlReport(files)).rejects.toMatchObject({ code: 'report-unwritable' });
  }
  expect([against, page].map((path) => readFileSync(path, 'utf8'))).toEqual([example, example]);
  expect(readdirSync(out).sort()).toEqual(['report.html', 'results.json']);
});

it.each([
  ['none.json', 'bad-results', 'it does not exist'],
  ['.', 'bad-results', 'it is a folder'],
  ['cut.json', 'bad-results', 'it is truncated'],
  ['newer.json', 'newer-results', 'newer version'],
])('says in a sentence why %s cannot be read', async (file, code, why) => {
  writeFileSync(join(folder, 'cut.json'), example.slice(0, -100));
  writeFileSync(join(folder, 'newer.json'), example.replace('results/3', 'results/4'));
  const message = expect.stringContaining(why);
  await expect(writeHtmlReport({ results: join(folder, file) })).rejects.toMatchObject({ code, message });
  expect(readdirSync(folder)).not.toContain('report.html');
});

it('leaves nothing half-written where the report cannot be', async () => {
  const out = join(folder, 'out');
  mkdirSync(join(out, 'report.html/full'), { recursive: true });
  await expect(writeHtmlReport({ results, out })).rejects.toMatchObject({ code: 'report-unwritable' });
  expect(readdirSync(out).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  const blocked = writeHtmlReport({ results, out: join(folder, 'file') });
  await expect(blocked).rejects.toMatchObject({ code: 'report-unwritable', exitCode: 2 });
});
