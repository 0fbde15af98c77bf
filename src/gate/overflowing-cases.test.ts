import { expect, test } from 'vitest';
import { isWhole, itWhole } from '../base/in-short.testing.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { checks } from '../evidence/checks/checks.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { verdictOfChecks } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { defaultCampaign } from './campaign.ts';
import { overflowingCases } from './overflowing-cases.ts';

type Overflow = 'wraps' | 'saturate';

const ends: Readonly<Record<Overflow, (x: number) => number>> = {
  wraps: (x) => x | 0,
  saturate: (x) => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), x)),
};

/** Returns a kernel that handles overflow of 32 bits in one way and claims another. */
function made(precision: string, does: Overflow, claims: Overflow, isPlain = false): FunctionKernel {
  const end = ends[does];
  return {
    ...{ name: 'mine', precision, claims: { arithmetic: { result: { overflow: claims } } } },
    accepts: isPlain ? {} : { alpha: true, beta: true },
    multiply(a, b, { m, k, n, alpha, beta }, c, d) {
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
          const before = beta === 0 ? 0 : beta * c[i * n + j];
          d[i * n + j] = end(end(alpha * end(sum)) + before);
        }
      }
      return d;
    },
  };
}

const campaign = { ...defaultCampaign, draws: {} as never };
const evaluator = new Evaluator(exactProduct);

async function verdicts(spec: FunctionKernel): Promise<string[]> {
  const computation = applyClaims(precisions.find(spec.precision ?? 'f32'), spec.claims);
  const kernel = externalKernel(spec, openFunctionKernel(spec), computation);
  const found: string[] = [];
  for (const value of overflowingCases(campaign, spec)) {
    const evidence = await evaluator.evaluate(await evaluator.prepare(value, kernel), {} as Machine);
    const answers = checks.items.map(({ name, judge }) => ({ name, ...judge(evidence, defaultThresholds) }));
    found.push(verdictOfChecks(answers).verdict);
  }
  return found;
}

const claimed = [
  ['uint8-i32', 'saturate'],
  ['int4-i32', 'wraps'],
  ['int8-i32', 'wraps'],
] as const;

itWhole.each(claimed)(
  'sums of %s that leave 32 bits are what is claimed: %s',
  async (precision, overflow) => {
    const own = await verdicts(made(precision, overflow, overflow));
    expect(new Set(own)).toEqual(new Set(['pass']));
    const other = overflow === 'wraps' ? 'saturate' : 'wraps';
    expect(await verdicts(made(precision, other, overflow))).toContain('fail');
  },
);

test.runIf(isWhole)('long sums leave them without alpha and beta', async () => {
  expect(new Set(await verdicts(made('int8-i32', 'wraps', 'wraps', true)))).toEqual(new Set(['pass']));
  expect(await verdicts(made('int8-i32', 'saturate', 'wraps', true))).toContain('fail');
});

test('they are asked of those that claim what becomes of them', () => {
  const silent = { ...made('int8-i32', 'wraps', 'wraps'), claims: {} };
  const claimed = made('int8-i32', 'wraps', 'wraps');
  expect(overflowingCases(campaign, claimed).length).toBeGreaterThan(10);
  expect(overflowingCases(campaign, silent)).toEqual([]);
  expect(overflowingCases({ ...campaign, draws: undefined }, claimed)).toEqual([]);
  expect(overflowingCases({ ...campaign, inputs: ['uniform'] }, claimed)).toEqual([]);
});
