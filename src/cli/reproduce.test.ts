import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cac from 'cac';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaults } from '../config/options.ts';
import { results } from '../gate/results.ts';
import { EXIT } from '../problems.ts';
import { findStudy } from '../study/studies.ts';
import { registerReproduce } from './reproduce.ts';
import { reproduceOptions } from './reproduce-options.ts';

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'reproduce-'));
});
afterAll(() => rm(out, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const cli = cac('gemm-paranoia');
  registerReproduce(cli);
  cli.parse(['node', 'gemm-paranoia', 'reproduce', ...args], { run: false });
  const code = await cli.runMatchedCommand();
  const texts = [stdout, stderr].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
  vi.restoreAllMocks();
  return { code, stdout: texts[0], stderr: texts[1] };
}

const small = (...more: string[]) =>
  run('strassen-2011', '--adapter', 'software', '--shrink', '128', '--out', out, ...more);

test('a small run measures, writes results and text, and is no pass; another takes up what it finished', async () => {
  const { code, stdout, stderr } = await small('--figures', '30', '--max-size', '16');
  expect(code).toBe(EXIT.inconclusive);
  expect(stderr).toContain('3 products for 28 cells');
  expect(stdout).toMatch(/^strassen, τ₂ = 2048 {2}n = 2048 +2\.4e-4 +– +– +not-measured/m);
  expect(stdout).toContain('Counts: 99 of 99');
  expect(stdout).toMatch(/INCONCLUSIVE: 28 of 28 published cells were not measured.*\n$/);
  expect(await readFile(join(out, 'study.txt'), 'utf8')).toContain('n = 32 is more than --max-size, 16.');
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
  expect(again.stderr).toContain('3 products finished before');
  expect(again.stderr).not.toContain('left:');
});

test('a damaged file of finished products is refused, and --fresh goes past it', async () => {
  await writeFile(join(out, 'strassen-2011.partial.json'), '{');
  await expect(small('--figures', '30')).rejects.toThrow(
    'it is damaged, or another version made it; give --fresh',
  );
  const { code, stdout } = await small('--figures', '30', '--fresh', '--max-size', '8');
  expect(code).toBe(EXIT.inconclusive);
  expect(stdout).toContain('28 not measured');
});

test('a run too small for any product says what would measure one', async () => {
  const { code, stderr } = await small('--figures', '30', '--max-size', '8', '--fresh');
  expect(code).toBe(EXIT.inconclusive);
  expect(stderr).toContain(
    'the smallest product of these figures has n = 16, and --max-size is 8. Give --max-size 16, or --shrink 256 ',
  );
});

test.each([
  [['strassen-2012'], 'Unknown study "strassen-2012". Did you mean "strassen-2011"?'],
  [['strassen-2011', '--figures', '33'], 'Unknown value of --figures "33".'],
  [['strassen-2011', '--pairs', '0'], '--pairs must be a whole number from 1 to 1000'],
  [['strassen-2011', '--max-size', '1e9'], '--max-size must be'],
])('%j is refused before anything runs', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test('results go to a folder of the study, beside those of the gate', () => {
  const study = findStudy('strassen-2011');
  expect(reproduceOptions(study, {}).out).toBe(join(defaults.out, 'strassen-2011'));
  expect(reproduceOptions(study, { out: 'here' }).out).toBe('here');
});
