import { expect, it } from 'vitest';
import { defaultThresholds } from '../../evidence/checks/check.ts';
import { builtinItems } from '../../evidence/items.ts';
import { deviceLost } from '../../gpu/messages.ts';
import { openFunctionKernel } from '../../kernels/function-kernel.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import type { FunctionKernel } from '../../kernels/user-kernel.ts';
import { parseCase } from '../../problem/case.ts';
import { noBaselines } from '../baselines.ts';
import { makeRunCatalog } from '../run-catalog.ts';
import { judgeInNode } from './judge.ts';

it('what is judged is kept where an answer throws while its kernel is inspected', async () => {
  const kernel: FunctionKernel = {
    name: 'mine',
    multiply: (a, b, { m, k, n }) =>
      Float32Array.from({ length: m * n }, (_, e) => {
        let sum = 0;
        for (let p = 0; p < k; p++)
          sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
        return sum;
      }),
  };
  let isForged = false;
  const session = openFunctionKernel(kernel);
  const forging: KernelSession = {
    ...session,
    run: (jobs) =>
      isForged
        ? Promise.resolve(jobs.map(() => deviceLost({ kernel: 'mine', step: 'a step', why: 'x' })))
        : session.run(jobs),
  };
  const judged = await judgeInNode({
    ...{
      catalog: makeRunCatalog([kernel], builtinItems),
      sessionOf: () => forging,
      thresholds: defaultThresholds,
    },
    ...{ asked: [{ ...parseCase('kernel=mine;m=4;k=4;n=4'), series: false }], sample: [], whole: true },
    ...{ baselines: noBaselines, inspect: true },
    onInspect: () => {
      isForged = true;
    },
  });
  expect(judged.cases).toHaveLength(1);
  expect(judged).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/^Inspection of mine ended early: .*; some of its claims are unchecked\.$/),
  });
});
