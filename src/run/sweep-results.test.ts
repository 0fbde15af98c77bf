import { expect, it } from 'vitest';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import { sweptShapes } from '../problem/special-shapes.ts';
import { noBaselines } from './baselines.ts';
import { coverageOf } from './coverage.ts';
import type { Results } from './results.ts';
import { runGate } from './run-gate.ts';

const sweep = parseCase('kernel=mine;input=integers;m=2;k=3;n=4;seed=160;sweep=60');
const [, , , , tenth] = sweptShapes(160);
const machine = { fingerprint: { id: 'cpu' } } as Machine;

/** Runs the sweep alone, with a kernel that adds 1 to an entry where it says so. */
async function run(isWrong: (shape: { m: number; k: number; n: number }, calls: number) => boolean) {
  let calls = 0;
  const spec: FunctionKernel<Float32Array> = {
    name: 'mine',
    multiply(a, b, { m, k, n }) {
      calls++;
      const c = new Float32Array(m * n);
      for (let i = 0; i < m; i++)
        for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
      if (isWrong({ m, k, n }, calls)) c[0] += 1;
      return c;
    },
  };
  const known = spec as FunctionKernel;
  const kernel = externalKernel(known, openFunctionKernel(known), applyClaims(singlePrecision));
  return runGate([{ ...sweep, series: false }], {
    open: machine,
    reopen: async () => machine,
    kernelOf: async () => kernel,
    evaluator: new Evaluator(exactProduct),
    thresholds: defaultThresholds,
    baselines: noBaselines('cpu'),
  });
}

it('a wrong product of a sweep is a failing case of its own, in the place of the planned one', async () => {
  const found = await run(({ m, k, n }) => m === tenth.m && k === tenth.k && n === tenth.n);
  const [result] = found.cases;
  expect(result).toMatchObject({ verdict: 'fail', ...tenth, sweep: formatCase(sweep) });
  expect(result.reason).toMatch(/differs? from the exact product/);
  expect(parseCase(result.case).problem).toMatchObject({ ...tenth, input: 'integers', sweep: 0 });
  expect(result.replay).toContain(`--case '${result.case}'`);
  const results = { ...found, campaign: { id: 'x', cases: 1, whole: true } } as unknown as Results;
  const shorter = {
    ...results,
    cases: [],
    summary: { ...found.summary, run: 0 },
    skipped: [formatCase(sweep)],
  };
  const runs = [results, shorter].map((one, at) => ({ file: String(at), results: one }));
  expect(coverageOf(runs)).toMatchObject({ lacking: 0, whole: true });
});

it('a product that is wrong among others alone fails its sweep, which says so', async () => {
  const { cases } = await run((_, calls) => calls % 40 === 0);
  expect(cases[0]).toMatchObject({ verdict: 'fail', case: formatCase(sweep) });
  expect(cases[0].sweep).toBeUndefined();
  expect(cases[0].reason).toMatch(
    /wrong in a sweep of small sizes, in product \d+, \d+×\d+×\d+, and right alone/,
  );
});

it('a sweep without a wrong product passes as its own case', async () => {
  const { cases, summary } = await run(() => false);
  expect(cases[0]).toMatchObject({ verdict: 'pass', case: formatCase(sweep), m: 2, k: 3, n: 4 });
  expect(summary).toMatchObject({ planned: 1, pass: 1 });
});
