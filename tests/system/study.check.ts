import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runCommand } from '../../src/cli/in-process.testing.ts';
import { studyTask } from '../../src/cli/study/options.ts';
import { defaults } from '../../src/config/run-options.ts';
import { results } from '../../src/run/results.ts';
import type { BenchReport } from '../../src/study/bench/report.ts';
import { studies } from '../../src/study/studies.ts';

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'study-'));
});
afterAll(() => rm(out, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await runCommand(['study', ...args]);
  const texts = [stdout, stderr].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
  vi.restoreAllMocks();
  return { code, stdout: texts[0], stderr: texts[1] };
}

const small = (...more: string[]) =>
  run('strassen-2011', '--only', 'errors', '--adapter', 'software', '--shrink', '128', '--out', out, ...more);

itWhole(
  'numbers that need no device are computed, judged and written; those of figures that are not asked for are left',
  async () => {
    const folder = join(out, 'numbers');
    const asked = ['dumas-2025', '--adapter', 'software', '--out', folder];
    const { code, stdout, stderr } = await run(...asked);
    expect(code).toBe(EXIT.inconclusive);
    expect(stderr).toMatch(/24 numbers that the CPU computes/);
    expect(stdout).toMatch(/^strassen +14\.8284 +2\.7716$/m);
    expect(stdout).toMatch(/6 of 24 published cells depart, each for a known reason/);
    const written = results.parse(JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')));
    expect(written.study?.cells.filter(({ status }) => status === 'close')).toHaveLength(18);
    const small = await run('mary-2025', '--adapter', 'software', '--out', folder, '--max-size', '40');
    expect(small.code).toBe(EXIT.inconclusive);
    expect(small.stdout).toMatch(/69 were not measured/);
    await expect(run(...asked, '--figures', '30')).rejects.toThrow(/Unknown|README/);
  },
);

test('a small run measures, writes results and text, and is no pass; another takes up what it finished', async () => {
  const { code, stdout, stderr } = await small('--figures', '30', '--max-size', '16');
  expect(code).toBe(EXIT.inconclusive);
  expect(stderr).toContain('3 products for 28 cells');
  expect(stdout).toMatch(/^strassen, τ₂ = 2048 +[\d.]+e-\d+ \[\d\].*\n +printed 2\.4e-4/m);
  expect(stdout).toContain('99 of 99 published formulas');
  expect(stdout).toMatch(
    /INCONCLUSIVE: 7 of 28 published cells were measured at a smaller size and not compared\. 21 of 28 published cells were not measured.*\n$/,
  );
  expect(await readFile(join(out, 'study.txt'), 'utf8')).toContain('n = 32 exceeds --max-size 16.');
  const written = results.parse(JSON.parse(await readFile(join(out, 'results.json'), 'utf8')));
  expect(written.cases.map(({ kernel, n }) => `${kernel} ${n}`)).toEqual([
    'classical:register 16',
    'strassen:register 16',
    'winograd:register 16',
  ]);
  expect(written.cases[1].replay).toContain(
    "measure --algorithm strassen --levels 1 --leaf register --input inverse-pair --size 16 --seed 1 --init f32 --adapter 'software'",
  );
  const again = await small('--figures', '31', '--max-size', '16');
  expect(again.stderr).toContain('3 products already finished');
  expect(again.stderr).not.toContain('left:');
});

test('a damaged file of finished products is refused, and --fresh goes past it', async () => {
  await writeFile(join(out, 'strassen-2011.partial.json'), '{');
  await expect(small('--figures', '30')).rejects.toThrow(
    'it is damaged or comes from another version. To start over and overwrite it: --fresh',
  );
  const { code, stdout } = await small('--figures', '30', '--fresh', '--max-size', '8');
  expect(code).toBe(EXIT.inconclusive);
  expect(stdout).toContain('28 were not measured');
});

test('a run too small for any product says what would measure one', async () => {
  const { code, stderr } = await small('--figures', '30', '--max-size', '8', '--fresh');
  expect(code).toBe(EXIT.inconclusive);
  expect(stderr).toContain(
    'the smallest of these figures has n = 16, above --max-size 8. Give --max-size 16, or --shrink 256 ',
  );
});

test.each([
  [['strassen-2012'], 'Unknown study "strassen-2012". Did you mean "strassen-2011"?'],
  [['strassen-2011', '--figures', '33'], 'Unknown value of --figures "33".'],
  [['strassen-2011', '--leaf', 'nope'], 'Unknown leaf kernel "nope"'],
  [['strassen-2011', '--only', 'times'], 'Unknown value of --only "times". Known: errors, speeds.'],
  [['davis-2025', '--only', 'errors'], 'Unknown value of --only "errors". Known: speeds.'],
  [['davis-2025', '--figures', '8'], 'Unknown option of study davis-2025 --only speeds "--figures".'],
  [['strassen-2011', '--only', 'errors', '--leaf', 'gpu8'], '--only errors "--leaf".'],
])('%j is refused before anything runs', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test('results go to a folder of the study, beside those of the gate', () => {
  const study = studies.find('strassen-2011');
  expect(studyTask(study, {}).out).toBe(join(defaults.out, 'strassen-2011'));
  expect(studyTask(study, { out: 'here' }).out).toBe('here');
});

const quick = ['--adapter', 'software', '--trials', '3', '--seconds', '0.01', '--warm-up', '0'];

test('speeds stand in tables beside the published figures, in files too', async () => {
  const { code, stdout } = await run('border-2013', '--max-size', '100', ...quick, '--out', out, '--json');
  expect(code).toBe(EXIT.pass);
  const { study, measurements }: BenchReport = JSON.parse(stdout);
  expect(study?.tables[0].rows.map((row) => row[2])).toEqual(['15.51 %', '10.24 %']);
  expect(measurements.map(({ k, tail }) => `${k} ${tail}`)).toEqual([
    '32 pad',
    '32 mask',
    '64 pad',
    '64 mask',
  ]);
  expect(JSON.parse(await readFile(join(out, 'bench.json'), 'utf8')).study).toEqual(study);
});

itWhole(
  'a paper with both has its errors first, then its speeds; the worse of two codes is that of the whole',
  async () => {
    const { code, stdout } = await run(
      ...[
        'strassen-2011',
        '--shrink',
        '1024',
        '--figures',
        '30',
        '--max-size',
        '2',
        '--sizes',
        '16',
        ...quick,
        '--out',
        out,
        '--fresh',
      ],
    );
    expect(code).toBe(EXIT.inconclusive);
    expect(stdout.indexOf('Figure 30. Maximum error')).toBeLessThan(
      stdout.indexOf('Figures 24–29: time won'),
    );
    expect(stdout).toMatch(/^16 +winograd +4096 +0 /m);
  },
);

const OWN = `
const layout = () => ({ op: 'n', order: 'row', pad: 0, offset: 0, gap: 0 });
const cell = {
  figure: 'Table 7', title: 'Largest error, f32', row: 'classical', column: 'n = 8', published: 1, reading: 'max',
  products: [{
    case: {
      kernel: 'classical:register', method: { levels: 0, fringe: 'pad', tail: 'mask' },
      problem: {
        m: 8, k: 8, n: 8, batch: 1, alpha: 1, beta: 0, precision: 'f32', input: 'inverse-pair', edit: 'none',
        init: 'f32', seed: 1, a: layout(), b: layout(), c: layout(),
      },
    },
    against: 'ideal', sums: 'f64', series: false,
  }],
};
export default {
  studies: [
    { name: 'mine-2026', what: 'A study', source: 'Mine (2026)', errors: { notes: ['As is.'], cells: () => [cell] } },
  ],
};`;

test('a study of the config is measured like ours, and one that lacks something is refused in a sentence', async () => {
  const [config, broken] = ['own', 'broken'].map((name) => join(out, `${name}.config.mjs`));
  await writeFile(config, OWN);
  const { code, stdout } = await run('mine-2026', '--config', config, '--adapter', 'software', '--out', out);
  expect(code).toBe(EXIT.fail);
  expect(stdout).toContain('Mine (2026)');
  expect(stdout).toContain(
    'The one published cell departs without a known reason: Table 7, classical, n = 8',
  );
  await writeFile(broken, OWN.replace('cells:', 'sells:'));
  await expect(run('mine-2026', '--config', broken)).rejects.toThrow(
    'The study "mine-2026" cannot be registered: its `errors` need a list `notes` and a function `cells`.',
  );
});
