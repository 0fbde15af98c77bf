import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { parseCase } from '../../problem/case.ts';
import { runHere } from '../in-process.testing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'list-cases-'));
  await writeFile(join(folder, 'k.mjs'), 'export const f = () => { throw new Error("was run"); };\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** A name of no adapter, so that a command that opens one fails. */
const NONE = ['--adapter', 'no-such-adapter'];
const list = (...args: readonly string[]) => runHere(folder, ['gate', '--list', ...args]);
const lines = (text: string) => text.split('\n').slice(0, -1);

it('prints a case a line, counts per kernel beside them, and runs and writes nothing', async () => {
  const { code, stdout, stderr } = await list(
    'k.mjs#f',
    '--size',
    '4,5',
    '--input',
    'integers,uniform',
    ...NONE,
  );
  expect(code).toBe(0);
  const cases = lines(stdout).map((text) => parseCase(text));
  expect(cases.map(({ problem: { m, input } }) => `${m} ${input}`).sort()).toEqual([
    '4 integers',
    '4 uniform',
    '5 integers',
    '5 uniform',
  ]);
  expect(lines(stderr).slice(0, 2)).toEqual(['k.mjs#f: 4 cases', '4 cases; none ran.']);
  expect(await readdir(folder)).toEqual(['k.mjs']);
});

it('as JSON is an array', async () => {
  const { stdout } = await list('k.mjs#f', '--size', '4', '--input', 'integers', '--json');
  const text = 'kernel=k.mjs#f;levels=0;fringe=pad;tail=mask;input=integers;m=4;k=4;n=4;seed=1';
  expect(JSON.parse(stdout)).toEqual([{ kernel: 'k.mjs#f', case: text }]);
});

itWhole('of all shards together is the list of the whole', async () => {
  const args = ['--kernel', 'classical', '--size', '4,5,6', '--adapter', 'software'];
  const shards: string[] = [];
  for (const index of [1, 2, 3]) shards.push(...lines((await list(...args, '--shard', `${index}/3`)).stdout));
  expect(shards.sort()).toEqual(lines((await list(...args)).stdout).sort());
});

it('is there without an adapter, too', async () => {
  const { code, stderr, stdout } = await list('--kernel', 'classical:naive', '--size', '4', ...NONE);
  expect(code).toBe(0);
  expect(lines(stdout).length).toBeGreaterThan(1);
  expect(stderr).toMatch(/^Listed for any adapter: .*"no-such-adapter"/m);
});

it('is what --json is for', async () => {
  const { code, stderr } = await runHere(folder, ['gate', '--json']);
  expect([code, stderr]).toEqual([2, '--json requires --list.\n']);
});
