import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { isWhole, itWhole } from '../../base/in-short.testing.ts';
import { BENCH_SCHEMA, type BenchReport } from '../../study/bench/report.ts';
import { runCommand } from '../in-process.testing.ts';
import { levels } from './options.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: unknown; text: string; progress: string }> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await runCommand(['bench', ...args]);
  return { code, text: out.mock.calls.flat().join(''), progress: err.mock.calls.flat().join('') };
}

const quick = ['--adapter', 'software', '--trials', '3', '--seconds', '0.01', '--warm-up', '0'];

test('what is interrupted shows what was finished, and did not pass', async () => {
  const running = run('kernels', '--kernels', 'host:double', '--sizes', '16,24', ...quick);
  const err = vi.mocked(process.stderr.write);
  err.mockImplementation((text) => {
    if (String(text).includes('16×16×16')) process.emit('SIGINT');
    return true;
  });
  const { code, text } = await running;
  expect(code).toBe(EXIT.inconclusive);
  expect(text).toContain('Interrupted: only finished measurements are shown.');
  expect(text).not.toMatch(/host:double.* 24 /);
});

itWhole('bench kernels: tables, and files that say the same', async () => {
  const { code, text, progress } = await run(
    ...['kernels', '--kernels', 'classical:tiled,strassen:tiled,host:double', '--sizes', '24'],
    ...['--levels', '1', ...quick, '--out', folder],
  );
  expect(code).toBe(EXIT.pass);
  expect(text.replace(/\n/g, ' ')).toMatch(
    /On .*software.*it has timestamps; (its|the) leaf kernels are (not )?tuned/,
  );
  expect(text).toMatch(/^3 trials after 0 to warm up/m);
  expect(text).toMatch(/No GPU: only ratios of times are shown/);
  expect(text).not.toMatch(/median ms|Tflop/);
  expect(text).toMatch(/^strassen:tiled,.* f32 +24 /m);
  expect(progress).toMatch(/classical:tiled, 24×24×24: \d+\.\d bits/);
  const report: BenchReport = JSON.parse(await readFile(join(folder, 'bench.json'), 'utf8'));
  expect(report).toMatchObject({ schema: BENCH_SCHEMA, timestamps: true, adapter: { kind: 'software' } });
  expect(report.measurements.map(({ label, clock }) => [label, clock])).toEqual([
    ['classical:tiled', 'timestamps'],
    ['strassen:tiled, 1 level', 'timestamps'],
    ['host:double', 'call'],
  ]);
  const [classical, strassen, host] = report.measurements;
  expect(host.bits).toBeGreaterThanOrEqual(classical.bits);
  expect(strassen).toMatchObject({ levels: 1, leaf: 'tiled-8', absolute: false });
  expect(await readFile(join(folder, 'bench.md'), 'utf8')).toContain('## Tests of equal speed');
  expect(await readFile(join(folder, 'bench.html'), 'utf8')).toContain('Speed against bits lost');
});

test.runIf(isWhole)('bench: every leaf kernel that runs here, with its times', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const alone = ['--no-gate', '--no-fuzz', '--size', '32', '--runs', '2', '--json'];
  const { code } = await run('--adapter', 'software', ...alone);
  expect(code).toBe(EXIT.pass);
  const { leaves } = JSON.parse(log.mock.calls.flat().join(''));
  expect(leaves.map(({ leaf }: { leaf: string }) => leaf)).toEqual(
    expect.arrayContaining(['naive', 'tiled-16', 'register-64x64']),
  );
  for (const { least, median, most } of leaves) {
    expect(least).toBeGreaterThan(0);
    expect([least, median, most]).toEqual([least, median, most].toSorted((x, y) => x - y));
  }
});

describe('bench refuses', () => {
  test.each([
    [['nonsense'], /Unknown command "bench nonsense".*bench kernels, bench reference/],
    [['kernels', '--levels', '2..1'], /--levels must be ascending numbers or ranges/],
    [['kernels', '--trials', '2'], /--trials must be a whole number from 3 to 1000, but is "2"/],
    [['kernels', '--clock', 'sun'], /Unknown value of --clock "sun"/],
    [['kernels', '--kernels', 'classical:registr'], /Did you mean "classical:register"/],
    [['kernels', '--clock', 'whole,submission'], /Unknown value of --clock "whole,submission"/],
    [['kernels', '--sizes', '8', '--out', '/dev/null/x'], /^Cannot write the report/],
    [
      ['kernels', '--sizes', '8', '--json', '.'],
      /^The file .* of --json cannot be written: it is a folder\. /,
    ],
    [
      ['reference', '--json', '/dev/null/x'],
      /of --json cannot be written: a part of its path is not a folder/,
    ],
    [['kernels', '--size', '8'], /Unknown option of bench kernels "--size"\. Did you mean "--sizes"\?/],
    [['reference', '--adapter', 'software'], /Unknown option of bench reference "--adapter"/],
    [['kernels', '--no-gate'], /Unknown option of bench kernels "--no-gate"/],
    [['--trials', '3'], /Unknown option of bench "--trials"\..* --size, --runs, --no-gate, /],
  ])('%s', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });

  test('to call it a result where nothing was timed', async () => {
    const args = ['kernels', '--kernels', 'strassen:naive', '--levels', '1', '--sizes', '32768', ...quick];
    await expect(run(...args)).rejects.toMatchObject({
      exitCode: EXIT.inconclusive,
      message: expect.stringMatching(
        /^No product was timed: strassen:naive, 1 level, 32768×.*can bind at most .* fit up to n = \d+, in/,
      ),
    });
  });
});

test('levels are single ones and ranges', () => {
  const read = (text: string) => levels.read?.('--levels', [text]);
  expect(read('0..2')).toEqual([0, 1, 2]);
  expect(read('3,1..2,1')).toEqual([1, 2, 3]);
  expect(read('2')).toEqual([2]);
});
