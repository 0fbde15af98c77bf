import { describe, expect, test } from 'vitest';
import { inShort, isWhole, itWhole } from '../base/in-short.testing.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { checks } from '../evidence/checks/checks.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { resultOf, verdictOfChecks } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { decodingKernel } from '../kernels/coded.testing.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { codings } from '../precision/coding/codings.ts';
import { type BlockFactors, mapFactorLists } from '../precision/operand-memory.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { defaultCampaign } from './campaign.ts';
import { factorEndCases, overflowingCases } from './range-end-cases.ts';

describe('overflowing cases', () => {
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
      const answers = checks.items.map(({ name, judge }) => ({
        name,
        ...judge(evidence, defaultThresholds),
      }));
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
});

const campaign = { ...defaultCampaign, draws: {} as never };
const evaluator = new Evaluator(exactProduct);

/** Returns a kernel that decodes correctly except for its factors. */
function misreading(precision: string, change: (factor: number) => number): FunctionKernel {
  const right = decodingKernel(precision);
  return {
    ...right,
    multiply: (a, b, gemm, c, d, factors = {}) =>
      right.multiply(
        a,
        b,
        gemm,
        c,
        d,
        mapFactorLists(factors, (list) => list.map(change) as BlockFactors['scales'][0]),
      ),
  };
}

async function verdicts(spec: FunctionKernel): Promise<string[]> {
  const computation = applyClaims(precisions.find(spec.precision ?? 'f32'), spec.claims);
  const kernel = externalKernel(spec, openFunctionKernel(spec), computation);
  const found: string[] = [];
  for (const value of factorEndCases(campaign, spec)) {
    const evidence = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    found.push((await resultOf(value, kernel, evidence, defaultThresholds)).verdict);
  }
  return found;
}

describe('factors at the ends of their formats', () => {
  test.each(
    inShort(
      codings.items.map(({ name }) => name),
      9,
    ),
  )('are no fault of %s', async (name) => {
    const own = await verdicts(decodingKernel(name));
    expect(own.length).toBe(16);
    expect(new Set(own)).toEqual(new Set(['pass']));
  });

  itWhole.each(
    inShort<[string, string, (factor: number) => number]>(
      [
        ['mxfp8-e4m3', 'the smallest is 0', (x) => (x === 2 ** -127 ? 0 : x)],
        ['mxfp4', 'the smallest is 0', (x) => (x === 2 ** -127 ? 0 : x)],
        ['mxfp6-e2m3', 'the smallest is the one above', (x) => Math.max(x, 2 ** -126)],
        ['mxfp8-e5m2', 'the largest is cut off', (x) => Math.min(x, 2 ** 96)],
        ['nvfp4', 'subnormal ones are 0', (x) => (x < 2 ** -6 ? 0 : x)],
        ['nvfp4', 'the smallest subnormal one is 0', (x) => (x === 2 ** -9 ? 0 : x)],
        [
          'nvfp4',
          'subnormal ones are read as normal ones',
          (x) => (x < 2 ** -6 ? (1 + x * 2 ** 6) * 2 ** -7 : x),
        ],
        ['q8_0', 'subnormal ones of binary16 are 0', (x) => (Math.abs(x) < 2 ** -14 ? 0 : x)],
        ['nbits4-f16', 'the largest of binary16 is cut off', (x) => Math.min(x, 2 ** 15)],
        ['e4m3-row', 'binary32 is cut off as binary16 is', (x) => Math.min(x, 65504)],
      ],
      3,
    ),
  )('of %s where %s fail', async (precision, _, change) => {
    expect(await verdicts(misreading(precision, change))).toContain('fail');
  });
});

test('they are asked of kernels with factors, in shapes that these take', () => {
  const kernel = decodingKernel('mxfp4');
  const ks = (accepts: FunctionKernel['accepts']) =>
    new Set(factorEndCases(campaign, { ...kernel, accepts }).map(({ problem: { k } }) => k));
  expect(ks('everything')).toEqual(new Set([70, 128]));
  expect(ks('m=16..128;k=128..999')).toEqual(new Set([128]));
  expect(factorEndCases(campaign, { ...kernel, precision: 'f32' })).toEqual([]);
  expect(factorEndCases({ ...campaign, draws: undefined }, kernel)).toEqual([]);
});

test('none is so faint that a kernel may lose it where it quantizes activations too', async () => {
  const name = '../../fixtures/shipped-kernels/honest/acts-int8-block.mjs';
  const [kernel] = Object.values(await import(new URL(name, import.meta.url).href)) as FunctionKernel[];
  expect(factorEndCases(campaign, kernel)).toHaveLength(12);
  expect(new Set(await verdicts(kernel))).toEqual(new Set(['pass']));
});

test.each([
  ['q4_0', 'q8_0', 12],
  ['mxfp4-weights', 'q8_0', 4],
  ['nbits4', 'q8_0', 4],
  ['nbits4', 'int8-block', 12],
])('factors of %s are compensated by activations in %s only within their range', (name, scheme, count) => {
  const kernel = { ...decodingKernel(name), claims: { activations: { scheme } } } as FunctionKernel;
  expect(factorEndCases(campaign, kernel)).toHaveLength(count);
});
