import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

/** Counts the files of JavaScript that a command loads, in its own process. */
function filesLoadedBy(words: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  spawnSync(process.execPath, [MAIN, ...words], { env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const [{ result }] = readdirSync(folder)
    .map((name): { result: { url: string }[] } => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .filter((one) => one.result.some(({ url }) => url.endsWith('/cli/main.js')));
  rmSync(folder, { recursive: true });
  return result.filter(({ url }) => url.startsWith('file:')).length;
}

// To find and open a file takes longer than to run it.
it.each([
  [20, ['--version']],
  [20, ['--help']],
  [20, ['gate', '--no-such-option']],
  [60, ['list', 'inputs']],
  [60, ['gate', '--list']],
  [55, ['check', '--a', 'missing.npy', '--b', 'missing.npy', '--d', 'missing.npy']],
])('loads at most %d files: %j', (most, words) => {
  const count = filesLoadedBy(words);
  expect(count).toBeGreaterThan(5);
  expect(count).toBeLessThanOrEqual(most);
});
