import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { VERSION } from '../base/version.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Results } from '../run/results.ts';
import { runHere } from './in-process.testing.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const published = (name: string) => join(root, 'reports', name, 'results.json');
/** Of another version, whose cases are not planned here, and of a machine that is elsewhere. */
const RUN = 'run.json';
const PUBLISHED = published('clients-nvidia-h200/numpy-f32');

const TEXT = readFileSync(PUBLISHED, 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atlas-'));
  changed(RUN, () => {});
});
afterAll(() => rmSync(folder, { recursive: true }));

const atlas = (...args: string[]) => runHere(folder, ['atlas', ...args]);
const entries = (name: string) => readdirSync(join(folder, name)).sort();
const only = (name: string) => join(name, entries(name)[0]);

/** A file with the run, changed. */
function changed(name: string, change: (run: Results) => void): string {
  const run = JSON.parse(TEXT) as Results;
  run.version = '0.0.1';
  change(run);
  writeFileSync(join(folder, name), JSON.stringify(run));
  return name;
}

/** The first case that passes with an error. */
const erring = ({ cases }: Results) =>
  cases.find(({ exact, sigma }) => Number(exact?.meanError) > 0 && sigma !== undefined) as CaseResult;

describe('add', () => {
  itWhole('writes an entry, once, of a file in whatever layout', async () => {
    const first = await atlas('add', RUN, '--to', 'once', '--spot', '5');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 kernel, 209 cases, pass; of 5 cases drawn/),
    });
    expect(entries('once')).toEqual([expect.stringMatching(/^2026-11-22-.*-numpy-f32-[0-9a-f]{12}\.json$/)]);
    const again = await atlas(
      'add',
      changed('same.json', () => {}),
      RUN,
      '--to',
      'once',
      '--spot',
      '0',
    );
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/same\.json is there already, as once.*\n.* is there already/),
    });
    expect(entries('once').length).toBe(1);
  });

  itWhole('writes no file where one of several is refused', async () => {
    const wrong = changed('counts.json', ({ summary }) => Object.assign(summary, { pass: 12 }));
    const { code, stderr } = await atlas('add', RUN, wrong, '--to', 'none', '--spot', '0');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/counts\.json is not a results file .* it counts 12 pass, and/),
    });
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('refuses errors that no result in the format can have, though all else fits', async () => {
    const forged = changed('forged.json', (run) => {
      for (const { exact, checks, runningBound } of run.cases) {
        if (exact === undefined || !(Number(exact.maxError) > 0)) continue;
        for (const key of [
          'maxError',
          'meanError',
          'normalisedMax',
          'normalisedMean',
          'componentwise',
        ] as const)
          exact[key] = Number(exact[key]) / 2 ** 20;
        exact.bits = Math.min(52, Number(exact.bits) + 20);
        exact.componentwise = 2 ** (24 - exact.bits);
        if (exact.worst !== undefined) exact.worst.error = exact.maxError;
        for (const check of checks) if (check.found !== undefined) check.found = 0;
        if (runningBound !== undefined) runningBound.used = 0;
      }
    });
    const { code, stderr } = await atlas('add', forged, '--to', 'none', '--spot', '30', '--seed', '1');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /no result in f32 errs by less than .*; to see it: npx gemm-paranoia gate --case/,
      ),
    });
  });

  it.each([
    ['a study', () => published('strassen-2011-nvidia-h200'), /holds the study strassen-2011/],
    [
      'nothing',
      () => changed('empty.json', (run) => Object.assign(run, { cases: [] })),
      /contradicts its cases/,
    ],
    ['a missing file', () => 'missing.json', /does not exist/],
  ])('refuses %s', async (_, make, why) => {
    const { code, stderr } = await atlas('add', make(), '--to', 'none');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
  });

  it('takes what its contributor says of a device, where results lie, and doubts what it cannot see', async () => {
    const part = changed('part.json', (run) => {
      run.cases.splice(run.cases.indexOf(erring(run)), 1);
      Object.assign(run.summary, { planned: 208, run: 208, pass: 208 });
    });
    const said = [
      '--device',
      'A GPU',
      '--driver',
      '9',
      '--implementation',
      'Firefox',
      '--raw',
      'https://x.test/r.json',
      '--spot',
      '0',
    ];
    const { stdout } = await atlas('add', part, '--to', 'said', ...said);
    expect(stdout).toMatch(
      /: A GPU, driver 9, Firefox: .*\nTo be doubted: Its campaign has 209 cases, and 208 of them are told of\./,
    );
    const entry = JSON.parse(readFileSync(join(folder, only('said')), 'utf8'));
    expect(entry).toMatchObject({
      said: { device: 'A GPU', driver: '9' },
      raw: { at: 'https://x.test/r.json' },
    });
  });

  it('says which cases of its campaign a run of this version lacks', async () => {
    const other = changed('planned.json', (run) => {
      run.version = VERSION;
      run.command = 'gemm-paranoia gate --kernel numpy:f32 --size 9 --out x';
    });
    const { stdout } = await atlas('add', other, '--to', 'planned', '--spot', '0');
    expect(stdout).toMatch(
      /To be doubted: Of the \d+ cases that this version plans for its command and seed, \d+ are not in it/,
    );
  });

  it('says where entries cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await atlas('add', RUN, '--to', 'file/x', '--spot', '0')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be written: .*; name a folder with --to that you may write to/),
    });
  });

  it('runs nothing that a file names', async () => {
    writeFileSync(
      join(folder, 'evil.mjs'),
      "import { writeFileSync } from 'node:fs'; writeFileSync('evil', '');",
    );
    const named = changed('named.json', (run) => {
      run.version = VERSION;
      run.command = 'gemm-paranoia gate --kernel ./evil.mjs#f';
    });
    expect(await atlas('add', named, '--to', 'named', '--spot', '3')).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'evil'))).toBe(false);
  });

  itWhole('says where another run says something else of the same case', async () => {
    const other = changed('other.json', (run) => {
      run.createdAt = '2026-11-22T20:00:00.000Z';
      const { exact } = erring(run);
      Object.assign(exact ?? {}, { unequal: Number(exact?.unequal) + 1 });
    });
    await atlas('add', RUN, '--to', 'two', '--spot', '0');
    const { code, stderr } = await atlas('add', other, '--to', 'two', '--spot', '0');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Runs of numpy:f32 disagree in 1 case, the first kernel=/),
    });
  });
});

describe('signing', () => {
  it('makes a key for its owner alone, once, and entries that it signed', async () => {
    expect(await atlas('key', 'k.pem')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/of [0-9a-f]{32}\./),
    });
    expect(statSync(join(folder, 'k.pem')).mode & 0o777).toBe(0o600);
    expect(await atlas('key', 'k.pem')).toMatchObject({ code: 2, stderr: expect.stringMatching(/already/) });
    expect(await atlas('add', RUN, '--to', 'signed', '--key', 'k.pem', '--spot', '0')).toMatchObject({
      code: 0,
    });
    const file = join(folder, only('signed'));
    const text = readFileSync(file, 'utf8');
    // An entry is added as it is, with its signature.
    expect(await atlas('add', file, '--to', 'copied', '--spot', '0')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, only('copied')), 'utf8')).toBe(text);
    writeFileSync(file, text.replace('"value":"', '"value":"A'));
    expect(await atlas('check', '--from', 'signed')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/signature/),
    });
    expect(await atlas('add', RUN, '--key', file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no private key/),
    });
  });
});

describe('check and build', () => {
  it('find an entry that was changed, and build nothing of it', async () => {
    await atlas('add', RUN, '--to', 'spoilt', '--spot', '0');
    expect(await atlas('check', '--from', 'spoilt')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 entry: all are what they say/),
    });
    const file = join(folder, only('spoilt'));
    writeFileSync(file, readFileSync(file, 'utf8').replace('"sigmas":4', '"sigmas":1'));
    expect(await atlas('check', '--from', 'spoilt')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/its hash is not/),
    });
    expect(await atlas('build', '--from', 'spoilt', '--out', 'pages')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/its hash is not/),
    });
    expect(existsSync(join(folder, 'pages'))).toBe(false);
  });

  itWhole('compare an entry with its results file, where that lies here', async () => {
    const spare = changed('spare.json', () => {});
    await atlas('add', spare, '--to', 'raw', '--raw', spare, '--spot', '0');
    expect((await atlas('check', '--from', 'raw')).stdout).toMatch(
      /the results files of 1 lie here and make the same/,
    );
    changed('spare.json', (run) => Object.assign(run, { seed: 2 }));
    expect(await atlas('check', '--from', 'raw')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/spare\.json is not the results file that it was made of\./),
    });
  });

  it('write pages with the entries beside them, the same every time', async () => {
    await atlas('add', RUN, '--to', 'good', '--spot', '0');
    expect(await atlas('build', '--from', 'good', '--out', 'site')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote 3 pages of 1 entry: site/),
    });
    const first = readFileSync(join(folder, 'site/index.html'), 'utf8');
    expect(entries('site/entries')).toEqual(entries('good'));
    expect(first).toContain(`entries/${entries('good')[0]}`);
    await atlas('build', '--from', 'good', '--out', 'site');
    expect(readFileSync(join(folder, 'site/index.html'), 'utf8')).toBe(first);
  });
});

it.each([
  [['fly'], /Unknown part of atlas "fly"/],
  [['add'], /Say which results\.json/],
  [['build', 'x'], /does not take "x"/],
  [['build', '--to', 'x'], /Unknown option of atlas build "to"/],
  [['build', '--from', 'nowhere'], /There is no entry in nowhere/],
  [['add', 'x', '--spot', '-1'], /--spot must be a whole number/],
])('atlas %j is wrong usage', async (args, why) => {
  expect(await atlas(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
});
