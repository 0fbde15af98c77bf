import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { readResultsFile } from '../pages/node/write-html.ts';
import { runHere } from './in-process.testing.ts';

/** Names of properties that every object inherits: kernels and checks of these names are judged like any others. */
const NAMES = ['toString', 'constructor', '__proto__'];

const CONFIG = `
const multiply = (a, b, { m, k, n }) => Float32Array.from({ length: m * n }, (_, e) => {
  let sum = 0;
  for (let p = 0; p < k; p++) sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
  return sum;
});
const wrong = (...given) => multiply(...given).map((x) => x + 1);
const versions = (name) => () => ({ [name]: '1' });
const names = ${JSON.stringify(NAMES)};
export default {
  kernels: [
    ...names.map((name) => ({ name, multiply, versions: versions(name) })),
    { name: 'valueOf', multiply: wrong },
    { name: 'silent', multiply },
  ],
  checks: [{ name: 'isPrototypeOf', what: 'Nothing.', source: 'a test', judge: ({ case: { kernel } }) => ({
    status: kernel === 'silent' ? 'fail' : 'pass', message: 'So it is.',
  }) }],
};
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'));
  await writeFile(join(folder, 'paranoia.config.mjs'), CONFIG);
});
afterAll(() => rm(folder, { recursive: true }));

const SMALL = ['--size', '3', '--input', 'uniform,integers'];

itWhole('kernels and checks named as what objects inherit go through every command', async () => {
  const gate = await runHere(folder, ['gate', ...SMALL, '--out', 'out']);
  expect(gate.code).toBe(1);
  const results = await readResultsFile(join(folder, 'out/results.json'));
  const judged = new Map(results.cases.map(({ kernel, verdict }) => [kernel, verdict]));
  for (const name of NAMES) expect(judged.get(name)).toBe('pass');
  expect(judged.get('valueOf')).toBe('fail');
  const { versions } = JSON.parse(await readFile(join(folder, 'out/results.json'), 'utf8'));
  expect(Object.entries(versions)).toEqual(
    NAMES.toSorted().map((name) => [name, Object.fromEntries([[name, '1']])]),
  );
  const silent = results.groups?.find(({ kernels }) => kernels.includes('silent'));
  expect(Object.entries(silent?.checks ?? {})).toContainEqual(['isPrototypeOf', expect.any(Number)]);

  const merged = await runHere(folder, ['merge', 'out/results.json', '--out', 'merged']);
  expect(merged.code).toBe(1);
  const again = await readResultsFile(join(folder, 'merged/results.json'));
  expect(again.summary).toEqual(results.summary);
  expect((await runHere(folder, ['report', 'merged/results.json'])).code).toBe(0);
  const compared = await runHere(folder, ['compare', 'out/results.json', 'merged/results.json']);
  expect(compared).toMatchObject({ code: 0, stderr: '' });
  const added = await runHere(folder, ['atlas', 'add', 'out/results.json', '--to', 'atlas']);
  expect(added).toMatchObject({ code: 0 });
});
