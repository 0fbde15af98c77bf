import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonReport } from '../../pages/json.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import type { Results } from '../../run/results.ts';
import { runMerge } from './merge.ts';

const example = JSON.parse(
  await readFile(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
) as Results;

/** A shard of the example: two of its cases. */
const shard = (index: number, change: Partial<Results> = {}): Results => {
  const places = [2 * index - 2, 2 * index - 1];
  const cases = places.map((place) => example.cases[place]);
  const summary = { ...example.summary, planned: 2, run: 2, pass: 2, fail: 0, inconclusive: 0 };
  const campaign = { id: '12345678', cases: 4, whole: true };
  return {
    ...example,
    verdict: 'pass',
    cases,
    summary,
    growth: [],
    campaign,
    shard: { index, of: 2, places },
    ...change,
  };
};

let folder: string;
let printed: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merge-'));
  printed = '';
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  vi.stubEnv('GITHUB_ACTIONS', '');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
async function write(name: string, content: Results | string): Promise<string> {
  await writeFile(at(name), typeof content === 'string' ? content : jsonReport(content));
  return at(name);
}

describe('merge', () => {
  it('keeps versions of a kernel of any name', async () => {
    const versions = JSON.parse('{"__proto__":{"__proto__":"1"},"constructor":{"numpy":"2"}}');
    const files = [await write('1.json', shard(1, { versions })), await write('2.json', shard(2))];
    expect(await runMerge(files, { out: at('merged'), reporters: ['json'] })).toBe(0);
    const merged = JSON.parse(await readFile(at('merged/results.json'), 'utf8'));
    expect(Object.entries(merged.versions)).toEqual(Object.entries(versions));
    expect(Object.entries(merged.versions)[0]).toEqual(['__proto__', JSON.parse('{"__proto__":"1"}')]);
  });

  it('writes the joined results, prints them, and ends as they do', async () => {
    const files = [await write('2.json', shard(2)), await write('1.json', shard(1))];
    expect(await runMerge(files, { out: at('merged'), reporters: ['json', 'markdown'] })).toBe(0);
    const merged = await readResultsFile(at('merged/results.json'));
    expect(merged).toMatchObject({ verdict: 'pass', reason: 'All 4 cases passed.' });
    expect(merged.cases.map((result) => result.case)).toEqual(
      example.cases.slice(0, 4).map((result) => result.case),
    );
    expect(merged.mergedRuns?.map(({ file }) => file)).toEqual(files);
    expect(printed).toMatch(/PASS: All 4 cases passed \(exit code 0: .*\n$/);
    expect(await readFile(at('merged/summary.md'), 'utf8')).toContain('✅');
  });

  it('of some shards is inconclusive, of a failing one fails', async () => {
    const first = await write('1.json', shard(1));
    expect(await runMerge([first], { out: folder, reporters: ['json', 'html'] })).toBe(4);
    expect(printed).toContain('INCONCLUSIVE: Shard 2 of 2 is missing (exit code 4');
    const failing = shard(2);
    const cases = failing.cases.map((result) => ({ ...result, verdict: 'fail' as const }));
    const summary = { ...failing.summary, pass: 0, fail: 2 };
    const second = await write('2.json', { ...failing, verdict: 'fail', summary, cases });
    expect(await runMerge([first, second], { out: folder, reporters: ['json', 'html'] })).toBe(1);
  });

  it('joins different adapters only where it is told to', async () => {
    const other = shard(2, { adapter: { ...example.adapter, id: 'another' } });
    const files = [await write('1.json', shard(1)), await write('2.json', other)];
    await expect(runMerge(files, { out: at('merged'), reporters: ['json', 'html'] })).rejects.toMatchObject({
      code: 'mixed-results',
      message: `${at('1.json')} and ${at('2.json')} differ in their adapters (${example.adapter.id} and another); merge only runs of one kind, or give --allow-mixed.`,
    });
    expect(await runMerge(files, { out: at('merged'), reporters: ['json', 'html'], allowMixed: true })).toBe(
      0,
    );
  });

  it.each([
    ['missing', undefined, 'bad-results', /missing is not a readable results file: it does not exist\.$/],
    [
      'unreadable in a waiver',
      jsonReport(
        shard(2, {
          waivers: [{ case: 'x', reason: '', expires: '', state: 'idle', matched: 0, failed: 0 }],
        }),
      ),
      'mixed-results',
      /differ in their waivers/,
    ],
  ])('says which file is %s', async (name, content, code, message) => {
    const files = [await write('1.json', shard(1)), at(name)];
    if (content !== undefined) await write(name, content);
    await expect(runMerge(files, { out: at('merged'), reporters: ['json', 'html'] })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('refuses a file given twice, and to write over one', async () => {
    const file = await write('results.json', shard(1));
    await expect(
      runMerge([file, join(folder, '.', 'results.json')], { out: at('merged'), reporters: ['json', 'html'] }),
    ).rejects.toThrow(/^Cannot merge .*results\.json: it was given twice\.$/);
    await expect(runMerge([file], { out: folder, reporters: ['json', 'html'] })).rejects.toThrow(
      /it is one of the files to join/,
    );
    await expect(runMerge([file], { out: at('merged'), reporters: ['jsn'] })).rejects.toThrow(
      'Unknown reporter "jsn". Did you mean "json"?',
    );
  });
});
