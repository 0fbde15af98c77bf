import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syntheticResults } from '../../../tests/support/synthetic.ts';
import { itWhole } from '../../base/in-short.testing.ts';
import type { Results } from '../../run/results.ts';
import { runHere } from '../in-process.testing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-'));
  const old = syntheticResults();
  const [first, ...others] = old.cases;
  const put = (name: string, results: Results) => writeFile(join(folder, name), JSON.stringify(results));
  await put('old.json', old);
  const failed = { ...first, verdict: 'fail' as const, reason: 'wrong | text', case: first.case };
  const adapter = { ...old.adapter, id: 'another' };
  const { pass, fail } = old.summary;
  const summary = { ...old.summary, pass: pass - 1, fail: fail + 1 };
  await put('new.json', { ...old, adapter, verdict: 'fail', summary, cases: [failed, ...others] });
  await writeFile(join(folder, 'cut.json'), '{"schema": "gemm-paranoia/results/3", ');
  await writeFile(join(folder, 'newer.json'), '{"schema": "gemm-paranoia/results/99"}');
});
afterAll(() => rm(folder, { recursive: true }));

const compare = (...args: readonly string[]) => runHere(folder, ['compare', ...args]);

itWhole('of a run with itself says that there is no change, and ends with 0', async () => {
  const { code, stdout } = await compare('old.json', 'old.json');
  expect(code).toBe(0);
  expect(stdout).toContain('1.000 to 1.000  no change');
  expect(stdout).toMatch(/^No new failure; still \w+ \(exit code 0\)\.$/m);
});

it('tells new failures, in what runs differ, and ends with 1; the other way round they are fixed', async () => {
  const { code, stdout } = await compare('old.json', 'new.json');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^1 new failure$/m);
  expect(stdout).toMatch(/^The runs differ in their adapters: .* before, another now\.$/m);
  const fixed = await compare('new.json', 'old.json');
  expect(fixed.code).toBe(0);
  expect(fixed.stdout).toMatch(/^1 failure fixed$/m);
});

itWhole('as Markdown is a comment, as JSON the numbers', async () => {
  const { stdout } = await compare('old.json', 'new.json', '--markdown');
  expect(stdout).toMatch(/^## gemm-paranoia: 1 new failure; /);
  expect(stdout).toContain('wrong &#124; text');
  const { kernels } = JSON.parse((await compare('old.json', 'new.json', '--json')).stdout);
  expect(kernels.flatMap((one: { newFailures: string[] }) => one.newFailures)).toHaveLength(1);
});

it.each([
  [['old.json', 'cut.json'], 'it is truncated'],
  [['none.json', 'old.json'], 'it does not exist'],
  [['old.json', 'newer.json'], 'was written by a newer version'],
  [['old.json', 'new.json', '--json', '--markdown'], '--markdown cannot be combined with --json'],
])('%j cannot be compared', async (args, why) => {
  expect(await compare(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
});
