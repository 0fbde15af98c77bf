import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Results } from '../run/results.ts';
import { runHere } from './in-process.testing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'empty-shard-'));
  await writeFile(
    join(folder, 'k.mjs'),
    'export const f = (a, b, { m, n }) => new Float32Array(m * n).fill(a[0] * b[0]);\n',
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
    /^INCONCLUSIVE: Shard 1 of 2 has no case of the campaign, which has 1 \(exit code 0: merge judges/m,
  );
  const merged = await runHere(folder, ['merge', '1-2/results.json', '2-2/results.json', '--out', 'all']);
  expect(merged.code).toBe(0);
  const results: Results = JSON.parse(await readFile(join(folder, 'all/results.json'), 'utf8'));
  expect(results).toMatchObject({ verdict: 'pass', reason: 'The one case passed.' });
  const alone = await runHere(folder, ['merge', '1-2/results.json', '--out', 'part']);
  expect(alone.code).toBe(4);
});
