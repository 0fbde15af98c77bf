import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runHere } from '../../src/cli/in-process.testing.ts';

const KERNELS = `
export function honest(a: Float32Array, b: Float32Array, { m, k, n }: Record<string, number>) {
  const c = a instanceof Float32Array ? new Float32Array(m * n) : new Float64Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  return c;
}
export function wrong(...[a, b, shape]: Parameters<typeof honest>) {
  const c = honest(a, b, shape);
  c[c.length - 1] += 1;
  return c;
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gate-files-'));
  await writeFile(join(folder, 'mine.ts'), KERNELS);
});
afterAll(() => rm(folder, { recursive: true }));

const SMALL = ['--size', '9x8x7', '--input', 'uniform,integers'];

test('what fails is replayed by the same file, in the precision that was asked for', async () => {
  const { code, stdout } = await runHere(folder, ['gate', 'mine.ts#wrong', ...SMALL, '--precision', 'f64']);
  expect(code).toBe(1);
  const [, files, text] = /replay: npx gemm-paranoia gate (.*) --replay 1\n +case: (.*)/.exec(stdout) ?? [];
  expect(files).toBe("mine.ts#wrong --precision 'f64'");
  expect(text).toMatch(/^kernel=mine\.ts#wrong;.*;precision=f64/);
  const again = await runHere(folder, ['gate', 'mine.ts#wrong', '--precision', 'f64', '--case', text]);
  expect(again.code).toBe(1);
  const fuzzed = await runHere(folder, [
    'fuzz',
    'mine.ts#wrong',
    '--runs',
    '3',
    '--seed',
    '1',
    '--corpus',
    'found',
  ]);
  expect(fuzzed.code).toBe(1);
  expect(fuzzed.stdout).toMatch(/search again: npx gemm-paranoia fuzz mine\.ts#wrong --seed \d+ --path /);
});

itWhole('files and kernels may be named together, and each by --kernel', async () => {
  const args = ['gate', 'mine.ts#honest', '--kernel', 'mine.ts#wrong', ...SMALL];
  const { code, stdout } = await runHere(folder, args);
  expect(code).toBe(1);
  expect(stdout).toContain('mine.ts#honest');
  expect(stdout).toContain('npx gemm-paranoia gate mine.ts#honest mine.ts#wrong --replay 1');
});
