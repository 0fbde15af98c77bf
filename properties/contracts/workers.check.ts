import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { Results } from '../../src/run/results.ts';

/**
 * The contract: results are equal, times aside, for any number of processes that judge, and when merged from shards. With six cases of
 * three kernels, four processes take two kernels at a time, so that results arrive in another order than the cases.
 */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'workers-'));
afterAll(() => rmSync(root, { recursive: true }));

const CAMPAIGN = [
  ...['--adapter', 'software', '--kernel', 'classical:naive,classical:tiled,strassen:naive'],
  ...['--size', '9,5x17x3', '--levels', '0,1', '--input', 'uniform', '--fringe', 'pad', '--tail', 'mask'],
];

function paranoia(out: string, ...args: readonly string[]): Promise<Results> {
  const folder = join(root, out);
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args, '--out', folder],
      { cwd: root },
      (_, __, stderr) => {
        if (child.exitCode !== 0) reject(new Error(`exit code ${child.exitCode}: ${stderr}`));
        else resolve(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')));
      },
    );
  });
}

/** Keys that describe the run, not the judged kernels. */
const OF_THE_RUN = ['seconds', 'judgingSeconds', 'createdAt', 'command', 'mergedRuns', 'shard', 'replay'];
const timeless = (results: Results) =>
  JSON.parse(JSON.stringify(results, (key, value) => (OF_THE_RUN.includes(key) ? undefined : value)));

it('results are the same for one process and four, and merged from shards', async () => {
  const one = await paranoia('one', 'gate', ...CAMPAIGN);
  expect(one.cases.length).toBeGreaterThan(5);
  const four = await paranoia('four', 'gate', ...CAMPAIGN, '--jobs', '4');
  expect(timeless(four)).toEqual(timeless(one));
  expect(four.cases.map(({ replay }) => replay)).toEqual(one.cases.map(({ replay }) => replay));
  for (const shard of ['1/2', '2/2']) await paranoia(shard[0], 'gate', ...CAMPAIGN, '--shard', shard);
  const files = ['2', '1'].map((shard) => join(root, shard, 'results.json'));
  expect(timeless(await paranoia('merged', 'merge', ...files))).toEqual(timeless(one));
});

it('results of functions are the same for one process and two', async () => {
  const multiply = `(a, b, { m, k, n }) =>
    Float32Array.from({ length: m * n }, (_, e) => {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a[Math.floor(e / n) * k + p] * b[p * n + (e % n)];
      return sum;
    })`;
  writeFileSync(
    join(root, 'paranoia.config.mjs'),
    `export default { kernels: [{ name: 'mine', multiply: ${multiply} }] }`,
  );
  const campaign = [
    '--kernel',
    'mine',
    '--size',
    '9,5x17x3,33',
    '--input',
    'uniform,integers,special-values',
  ];
  const one = await paranoia('function', 'gate', ...campaign, '--jobs', '1');
  expect(one.cases.length).toBeGreaterThan(8);
  const two = await paranoia('functions', 'gate', ...campaign, '--jobs', '2');
  // The extent of an inspection depends on its time.
  const judged = ({ inspections: _, ...results }: Results) => timeless(results);
  expect(judged(two)).toEqual(judged(one));
});
