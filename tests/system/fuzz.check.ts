import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, runHere } from '../../src/cli/in-process.testing.ts';
import { readDuration } from '../../src/options/node/read.ts';
import { readResults } from '../../src/pages/read-results.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fuzz-'));
});
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'run-'));

const ON = ['--adapter', 'software'];
const resultsIn = async (folder: string) =>
  readResults(await readFile(join(folder, 'reports/local/results.json'), 'utf8'), folder);

/** The arguments of the command that a failure prints. */
function argumentsOf(stdout: string, after: string): string[] {
  const line = stdout.split('\n').find((text) => text.trim().startsWith(after)) ?? '';
  return [...line.slice(line.indexOf('gemm-paranoia') + 13).matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain,
  );
}

describe('fuzz', () => {
  it('finds a planted fault, shrinks it, and prints commands that find it again', async () => {
    const folder = await newFolder();
    const first = await runHere(folder, [
      'fuzz',
      ...ON,
      '--fault',
      'dropped-k-tail',
      '--input',
      'integers',
      '--seed',
      '2',
      '--max-size',
      '64',
    ]);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(
      /VIOLATION found by the check exact: kernel=classical:register;levels=0;.*m=1;k=1;n=1;/,
    );
    expect(first.stdout).toMatch(/^FAIL: A violation was found, which ends a search;/m);
    const results = await resultsIn(folder);
    expect(results).toMatchObject({
      verdict: 'fail',
      fuzz: { findings: [{ check: 'exact', path: expect.any(String) }] },
    });
    const [{ failing, judged, cases, looksLike }] = results.groups ?? [];
    // A mistake is named if most failures resemble it.
    const lost = results.cases.filter(({ checks }) =>
      checks.some(({ looksLike: one }) => /last \d+ terms of k/.test(one?.says ?? '')),
    ).length;
    expect(lost).toBeGreaterThan(failing / 4);
    expect(looksLike?.count).toBe(2 * lost > failing ? lost : undefined);
    expect(judged).toBeGreaterThan(failing);
    expect(cases.map((at) => results.cases[at].verdict)).toEqual(new Array(failing).fill('fail'));
    const files = await readdir(join(folder, 'reports/local/corpus'));
    expect(files).toHaveLength(1);
    // A planted fault is not added to the corpus.
    expect(await readdir(folder)).toEqual(['reports']);
    const gate = await runHere(folder, argumentsOf(first.stdout, 'replay:'));
    expect(gate, gate.stderr).toMatchObject({ code: 1, stdout: expect.stringMatching(/m=1;k=1;n=1/) });
    const again = await runHere(folder, argumentsOf(first.stdout, 'search again:'));
    expect(again.stdout.split('\n')[0]).toBe(first.stdout.split('\n')[0]);
  });

  it('passes an honest kernel after the corpus, of which a corrupt file is told and left', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'fixtures/corpus'), { recursive: true });
    await writeFile(join(folder, 'fixtures/corpus/bad.json'), '{');
    const entry = {
      schema: 'gemm-paranoia/corpus/1',
      case: 'kernel=strassen:naive;m=3;k=4;n=5',
      check: 'exact',
      message: '',
      found: { seed: 1, version: '0', adapter: '', date: '' },
    };
    await writeFile(join(folder, 'fixtures/corpus/good.json'), JSON.stringify(entry));
    const args = [
      'fuzz',
      ...ON,
      '--kernel',
      'strassen:naive',
      '--runs',
      '60',
      '--max-size',
      '16',
      '--seed',
      '1',
      '--verbose',
    ];
    const { code, stdout, stderr } = await runHere(folder, args);
    expect(stderr).toMatch(/^The corpus file fixtures\/corpus\/bad\.json cannot be used: it is not JSON/);
    expect(stderr).toMatch(/, running 1 case saved by earlier runs, then .*, seed 1\./);
    expect(stdout).toMatch(/^levels +0 \d+, 1 \d+/m);
    expect(stdout).toMatch(/^PASS: No violation in \d+ judged cases/m);
    expect(code).toBe(0);
    const { fuzz, summary } = await resultsIn(folder);
    expect(fuzz).toMatchObject({ maxSize: 16, runs: 60, corpus: 1, findings: [] });
    expect(summary).toMatchObject({ planned: 60, run: 60, fail: 0 });
    expect(await readFile(join(folder, 'fixtures/corpus/bad.json'), 'utf8')).toBe('{');
  });

  it('interrupted before enough has run is inconclusive', async () => {
    const folder = await newFolder();
    const small = ['--kernel', 'classical:naive', '--max-size', '8', '--input', 'integers'];
    const child = spawn(process.execPath, [MAIN, 'fuzz', ...ON, ...small, '--time', '10m'], { cwd: folder });
    child.stderr.once('data', () => child.kill('SIGINT'));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(4);
    const results = await resultsIn(folder);
    expect(results).toMatchObject({ verdict: 'inconclusive', summary: { interrupted: true } });
    expect(results.fuzz ?? {}).not.toHaveProperty('runs');
  });
});

it.each([
  [['--path', '3', '--maximize'], /--path cannot be combined with --maximize/],
  [['--time', '5x'], /--time must be a time .* but is "5x"/],
  [['--time', '0.5'], /--time must be a time of at least a second/],
  [['--runs', '0'], /--runs must be a whole number from 1/],
  [['--of', 'x'], /Unknown value of --of "x"/],
  [['--kernel', 'classical:naive', '--shard', '3/2'], /shard/i],
])('%j is refused', async (words, message) => {
  await expect(runCommand(['fuzz', ...words])).rejects.toThrow(message);
});

it.each([
  ['90', 90],
  ['1.5s', 1.5],
  ['10m', 600],
  ['2 h', 7200],
])('a time of %s is %d seconds', (text, seconds) => {
  expect(readDuration('--time', text)).toBe(seconds);
});
