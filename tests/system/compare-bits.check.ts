import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../src/cli/in-process.testing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-bits-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A kernel that adds the terms of each sum in one order. */
const kernel = (start: string, next: string) => `
  export function f(a, b, { m, k, n }) {
    const c = new Float32Array(m * n);
    for (let i = 0; i < m; i++)
      for (let p = ${start}; p >= 0 && p < k; p${next}) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
    return c;
  }`;

/** Runs the gate on a kernel, and writes its results into a folder. */
async function gate(code: string, out: string) {
  await writeFile(join(folder, 'k.mjs'), code);
  const cases = ['--size', '40x50x30', '--input', 'uniform,integers', '--seed', '3', '--plain'];
  const { code: exit } = await runHere(folder, [
    ...['gate', 'k.mjs#f', ...cases, '--reporter', 'json', '--out', out],
  ]);
  expect([0, 4]).toContain(exit);
}

it('two runs of a kernel agree to the bit, and a kernel that sums in another order differs', async () => {
  await gate(kernel('0', '++'), 'one');
  await gate(kernel('0', '++'), 'two');
  await gate(kernel('k - 1', '--'), 'backward');
  const compare = (recent: string) =>
    runHere(folder, ['compare', 'one/results.json', `${recent}/results.json`, '--bits', '--json']);
  const agreeing = await compare('two');
  const { kernels } = JSON.parse(agreeing.stdout);
  expect(agreeing).toMatchObject({ code: 0 });
  expect(kernels).toMatchObject([
    { counts: { differing: 0, 'other operands': 0, 'one product': 0 }, onlyBefore: 0, onlyAfter: 0 },
  ]);
  expect(kernels[0].counts.identical).toBeGreaterThan(0);
  const differing = await compare('backward');
  expect(differing.code).toBe(1);
  const found = JSON.parse(differing.stdout);
  expect(found.differing.map((one: { case: string }) => one.case)).toEqual([
    expect.stringContaining('input=uniform'),
  ]);
  // Sums of small whole numbers are exact in any order.
  expect(found.kernels[0].counts.identical).toBeGreaterThan(0);
});
