import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

/** Returns the sizes of the files of JavaScript that a command loads, in its own process. */
function filesLoadedBy(words: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  spawnSync(process.execPath, [MAIN, ...words], { env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const [{ result }] = readdirSync(folder)
    .map((name): { result: { url: string }[] } => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .filter((one) => one.result.some(({ url }) => url.endsWith('/cli/main.js')));
  rmSync(folder, { recursive: true });
  return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => statSync(new URL(url)).size);
}

// To find and open a file takes longer than to run it, and compiling takes time by the size of its text.
it.each([
  [8, 310_000, ['--version']],
  [8, 310_000, ['--help']],
  [8, 310_000, ['gate', '--no-such-option']],
  [17, 410_000, ['list', 'inputs']],
  [8, 310_000, ['gate', '--list']],
  [23, 1_500_000, ['gate', '--list', '--plain']],
  [23, 1_190_000, ['check', '--a', 'missing.npy', '--b', 'missing.npy', '--d', 'missing.npy']],
])('loads at most %d files of %d bytes: %j', (most, bytes, words) => {
  const sizes = filesLoadedBy(words);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.length).toBeLessThanOrEqual(most);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytes);
});
