import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../src/cli/in-process.testing.ts';
import type { Results } from '../../src/run/results.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'empty-shard-'));
  await writeFile(
    join(folder, 'k.mjs'),
    `export function f(a, b, { m, k, n }) {
       const c = new Float32Array(m * n);
       for (let i = 0; i < m; i++)
         for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
       return c;
     }
     export const g = (a, b, { m, n }) => new Float32Array(m * n).fill(a[0] * b[0]);`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

it('a shard without a case ends with 0 and says so, and merge judges the whole', async () => {
  const args = ['gate', 'k.mjs#f', '--size', '1', '--input', 'integers', '--reporter', 'json'];
  const shards = [];
  for (const index of [1, 2])
    shards.push(await runHere(folder, [...args, '--shard', `${index}/2`, '--out', `${index}-2`]));
  expect(shards.map(({ code }) => code)).toEqual([0, 0]);
  expect(shards[0].stdout).toMatch(
    /^INCONCLUSIVE: Shard 1 of 2 is empty: the campaign has only 1 \(exit code 0: merge judges/m,
  );
  const merged = await runHere(folder, ['merge', '1-2/results.json', '2-2/results.json', '--out', 'all']);
  expect(merged.code).toBe(0);
  const results: Results = JSON.parse(await readFile(join(folder, 'all/results.json'), 'utf8'));
  expect(results).toMatchObject({ verdict: 'pass', reason: 'The one case passed.' });
  const alone = await runHere(folder, ['merge', '1-2/results.json', '--out', 'part']);
  expect(alone.code).toBe(4);
});

it('a kernel is inspected by whichever shard it falls to, also one without a case', async () => {
  const args = ['gate', 'k.mjs#g', '--size', '1', '--input', 'integers', '--reporter', 'json'];
  for (const index of [1, 2])
    await runHere(folder, [...args, '--shard', `${index}/2`, '--out', `g${index}-2`]);
  const merged = await runHere(folder, ['merge', 'g1-2/results.json', 'g2-2/results.json', '--out', 'all-g']);
  expect(merged.code).toBe(1);
  const results: Results = JSON.parse(await readFile(join(folder, 'all-g/results.json'), 'utf8'));
  expect(results.inspections?.map(({ kernel }) => kernel)).toEqual(['k.mjs#g']);
});
