import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { boundUse } from '../src/evidence/checks/running-bound.ts';
import { weigh } from '../src/evidence/weigh.ts';
import { plainGemm } from '../src/matrix/gemm.ts';
import { singleComputation } from '../src/precision/single.ts';
import { caseOf } from '../src/problem/case.ts';
import { analyze } from '../src/readers/analysis.ts';
import { expand, seeds, shapes } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { lawOfLongRuns } from './law.ts';
import { multiplyScaled } from './scaled.ts';

/**
 * The law: alpha·A·B + beta·C of fused products equals the model's, bit for bit, if products have an order. Otherwise it is within the
 * running bound of the exact one in any order of addition.
 *
 * Why: alpha times a product and beta times an entry of C are rounded once each, then added in the order of the plan, if it has one. The
 * bound of additions in any order counts every partial sum that a product may be part of.
 */
const gpu = await openGpu();
const { open } = gpu;

const factors = fc.constantFrom(
  1,
  0,
  -1,
  2,
  0.5,
  -3,
  Math.fround(1 / 3),
  Math.fround(1e10),
  Math.fround(-1e-10),
);

const requests = fc.record({
  kernel: fc.constantFrom('strassen:fused-small', 'strassen:fused-small', 'strassen:fused-atomic'),
  alpha: factors,
  beta: factors,
  shape: shapes(17),
  seed: seeds,
});

describe('alpha·A·B + beta·C', () => {
  lawOfLongRuns("is the model's, and within its bound", 24, requests, async ({ shape, seed, ...drawn }) => {
    // Every variant is a shader to compile: for the atomic kernel, the variant without levels suffices.
    const request = { ...drawn, levels: drawn.kernel === 'strassen:fused-small' ? 1 : 0 };
    const { kernel } = request;
    const { a, b } = expand(caseOf({ kernel, ...shape, seed }));
    const c = expand(caseOf({ kernel, m: shape.m, k: shape.n, n: 1, seed: seed + 1 })).a;
    const { plan, ...execution } = await multiplyScaled(open, { ...request, a, b, c });
    const analysis = analyze(plan, a, b, singleComputation(open.arithmetic), c);
    expect(execution).toMatchObject({ overwritten: 0, changed: 0, unwritten: 0 });
    if (plan.style !== 'atomic' && open.arithmetic.modeled) expectSameBits(execution.c, analysis.model);
    const gemm = { ...plainGemm(plan.shape), ...plan.scaling };
    const job = {
      kernel: { ...singleComputation(open.arithmetic), algorithm: plan.algorithm.name, leaf: '' },
      plan,
    };
    const evidence = weigh({ ...job, gemm, operands: { a, b, c } }, [execution], { analysis });
    expect(boundUse({ ...evidence, analysis }).beyond).toBe(0);
  });
});
