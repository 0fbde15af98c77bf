import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import type { Results } from '../../run/results.ts';
import { runHere } from '../in-process.testing.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const published = (name: string) => join(root, 'reports', name, 'results.json');
/** Published runs: of another version, whose cases are not planned here, and of another machine. */
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

/** A file with a changed run. */
function changed(name: string, change: (run: Results) => void): string {
  const run = JSON.parse(TEXT) as Results;
  run.version = '0.0.1';
  change(run);
  writeFileSync(join(folder, name), JSON.stringify(run));
  return name;
}

describe('add', () => {
  itWhole('writes an entry, once, of a file in whatever layout', async () => {
    const first = await atlas('add', RUN, '--to', 'once');
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 kernel, 209 cases, pass\./),
    });
    expect(entries('once')).toEqual([expect.stringMatching(/^2026-11-22-.*-numpy-f32-[0-9a-f]{12}\.json$/)]);
    const again = await atlas(
      'add',
      changed('same.json', () => {}),
      RUN,
      '--to',
      'once',
    );
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /same\.json is already in the atlas, as once.*\n.* is already in the atlas/,
      ),
    });
    expect(entries('once').length).toBe(1);
  });

  itWhole('writes no file where one of several is refused', async () => {
    const wrong = changed('counts.json', ({ summary }) => Object.assign(summary, { pass: 12 }));
    const { code, stderr } = await atlas('add', RUN, wrong, '--to', 'none');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /counts\.json is not a readable results file: its summary contradicts its cases: it counts 12 pass, and its cases are 209\.$/m,
      ),
    });
    expect(existsSync(join(folder, 'none'))).toBe(false);
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

  it('takes what its contributor says of a device, and where results lie', async () => {
    const said = [
      '--device',
      'A GPU',
      '--driver',
      '9',
      '--implementation',
      'Firefox',
      '--raw',
      'https://x.test/r.json',
    ];
    const { stdout } = await atlas('add', RUN, '--to', 'said', ...said);
    expect(stdout).toMatch(/: A GPU, driver 9, Firefox: /);
    const entry = JSON.parse(readFileSync(join(folder, only('said')), 'utf8'));
    expect(entry).toMatchObject({
      description: { device: 'A GPU', driver: '9' },
      raw: { at: 'https://x.test/r.json' },
    });
  });

  it('says where entries cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await atlas('add', RUN, '--to', 'file/x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Cannot write .*: .*\. Name a writable folder with --to/),
    });
  });
});

describe('build', () => {
  it.each([
    [
      'was changed',
      (text: string) => text.replace('"sigmas":4', '"sigmas":1'),
      /its hash does not match its contents/,
    ],
    ['was cut', (text: string) => text.slice(0, 1000), /it is not JSON/],
    ['has other keys', (text: string) => text.replace('"hash"', '"sign":1,"hash"'), /has keys/],
    ['has a text that is no case', (text: string) => text.replace('"case":"', '"case":"x'), /is not a case/],
    ['lacks a field', (text: string) => text.replace('"counts"', '"count"'), /counts/],
    ['is newer', (text: string) => text.replace('atlas/2', 'atlas/3'), /newer version/],
  ])('refuses an entry that %s, in a sentence', async (_, change, why) => {
    await atlas('add', RUN, '--to', 'spoilt');
    const file = join(folder, only('spoilt'));
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { code, stderr } = await atlas('build', '--from', 'spoilt', '--out', 'pages');
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(/^The atlas entry spoilt.* [^\n]*\.\n$/);
    expect(code).toBeGreaterThan(0);
    expect(existsSync(join(folder, 'pages'))).toBe(false);
    rmSync(join(folder, 'spoilt'), { recursive: true });
  });

  it('writes pages with the entries beside them, the same every time', async () => {
    await atlas('add', RUN, '--to', 'good');
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
  [['fly'], /Unknown command "atlas fly"/],
  [['add'], /Missing argument: results\.json/],
  [['build', 'x'], /^Unexpected argument of atlas build: "x"/],
  [['build', '--to', 'x'], /Unknown option of atlas build "--to"/],
  [['build', '--from', 'nowhere'], /The folder nowhere has no atlas entries/],
])('atlas %j is wrong usage', async (args, why) => {
  expect(await atlas(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
});
