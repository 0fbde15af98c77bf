import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cachedFolder } from './cache.ts';

let root: string;
let made: number;
const files = (): Map<string, Buffer> => {
  made++;
  return new Map([['driver.so', Buffer.from('contents')]]);
};
const contents = (folder: string): string => readFileSync(join(folder, 'driver.so'), 'utf8');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cache-test-'));
  made = 0;
  vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache'));
  vi.stubEnv('TMPDIR', root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

test('a folder is made once', () => {
  const folder = cachedFolder('driver-1', files);
  expect(folder).toBe(join(root, 'cache/gemm-paranoia/driver-1'));
  expect(cachedFolder('driver-1', files)).toBe(folder);
  expect(contents(folder)).toBe('contents');
  expect(made).toBe(1);
});

test('a damaged file or list of sums has the folder made again, and nothing else is left', () => {
  for (const damaged of ['driver.so', 'sha256.json']) {
    const folder = cachedFolder('driver-1', files);
    writeFileSync(join(folder, damaged), 'conten');
    expect(contents(cachedFolder('driver-1', files))).toBe('contents');
  }
  expect(made).toBe(3);
  expect(readdirSync(join(root, 'cache/gemm-paranoia'))).toEqual(['driver-1']);
});

test('another process that finishes first is no harm', () => {
  const slow = (): Map<string, Buffer> => {
    cachedFolder('driver-1', files);
    return files();
  };
  expect(contents(cachedFolder('driver-1', slow))).toBe('contents');
  expect(readdirSync(join(root, 'cache/gemm-paranoia'))).toEqual(['driver-1']);
});

test('where the cache cannot be written the temporary directory serves', () => {
  writeFileSync(join(root, 'cache'), 'a file, not a folder');
  const folder = cachedFolder('driver-1', files);
  expect(folder.startsWith(join(root, 'gemm-paranoia-'))).toBe(true);
  expect(contents(folder)).toBe('contents');
});

test('a failure to make the files leaves nothing behind', () => {
  const fail = (): never => {
    throw new Error('no archive');
  };
  expect(() => cachedFolder('driver-1', fail)).toThrow('no archive');
  expect(readdirSync(join(root, 'cache/gemm-paranoia'))).toEqual([]);
});
