import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readTuning, requireWritableTuning, writeTuning } from './tuning-file.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'tuning-'));
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

const adapter = { id: 'here-1', name: 'Here' };
const rates = [{ size: 64, teraflops: { naive: 0.5 } }];

test('what was measured of an adapter is read again for it alone', () => {
  expect(readTuning(adapter)).toEqual({});
  writeTuning(adapter, rates);
  const { tuning, note } = readTuning(adapter);
  expect(tuning?.rates).toEqual(rates);
  expect(tuning?.because).toMatch(/^measurements on this adapter of \d{4}-\d\d-\d\d$/);
  expect(note).toBeUndefined();
  expect(readTuning({ id: 'there-2' })).toEqual({});
});

test.each([
  [
    'another adapter',
    (text: string) => text.replace('"here-1"', '"there-2"'),
    /measured on another adapter \(Here\)/,
  ],
  [
    'another version',
    (text: string) => text.replace(/("version": ")/, '$10.'),
    /another version of gemm-paranoia measured it/,
  ],
  ['no JSON', (text: string) => text.slice(1), /it is damaged/],
  ['another form', (text: string) => text.replace('0.5', '"fast"'), /it is damaged/],
])('a file of %s is told in a sentence and not used', (_, change, why) => {
  const path = writeTuning(adapter, rates);
  const text = readFileSync(path, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(path, change(text));
  const { tuning, note } = readTuning(adapter);
  expect(tuning).toBeUndefined();
  expect(note).toMatch(why);
  expect(note).toMatch(
    /^The cached tuning .* is not used, because .*\. Measure it again with gemm-paranoia tune\.$/,
  );
});

test('a cache that cannot be written is told in a sentence, and nothing is left behind', () => {
  writeTuning(adapter, rates);
  requireWritableTuning();
  expect(readdirSync(join(cache, 'gemm-paranoia'))).toEqual(['tuning-here-1.json']);
  vi.stubEnv('XDG_CACHE_HOME', '/dev/null');
  for (const write of [requireWritableTuning, () => writeTuning(adapter, rates)]) {
    expect(write).toThrow(/^The tuning cannot be written to the cache: /);
  }
});
