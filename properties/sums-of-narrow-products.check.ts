import { describe, expect, test } from 'vitest';
import { ParanoiaError } from '../src/base/errors.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { productsOf, type Sum, sumsIn } from '../src/gate/honest-sums.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import type { Machine } from '../src/gpu/device.ts';
import { catalogueOf } from '../src/kernels/catalogue.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { f32 } from '../src/precision/format.ts';
import { claimedIn } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase } from '../src/problem/case.ts';
import { longer } from '../src/vitest/check-law.ts';
import { some } from './some.ts';

/**
 * The law: of products of narrow numbers that are summed in binary32, the default gate passes the adders of matrix units
 * that are documented, unclaimed, and fails narrower sums, unless they are claimed.
 *
 * Why: entries that the narrow format holds are charged no rounding, so that what is left is the error of the sums. Sources:
 * Fasi, Higham, Mikaitis, Pranesh 2021 for the adders; DeepSeek-AI 2024, *DeepSeek-V3 technical report*, §3.5.2, for sums of
 * 14 bits, on Hopper's units in eight-bit formats.
 */
const sums = sumsIn(f32);

function kernelOf(precision: string, sum: Sum, claims: Claims = {}) {
  const { round } = precisions.find(precision).multiplied;
  const multiply = (a: Float32Array, b: Float32Array, { m, k, n }: { m: number; k: number; n: number }) => {
    const [x, y] = [a.map(round), b.map(round)];
    return Float32Array.from({ length: m * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      const column = Float32Array.from({ length: k }, (_, p) => y[p * n + j]);
      return sum(productsOf(x.subarray(i * k, (i + 1) * k), column));
    });
  };
  return { name: 'mine', precision, multiply, claims } as const;
}

const evaluator = new Evaluator(exactProduct, { kept: 300 });
/** Sums of narrow numbers in TypeScript are slow. */
const isQuick = ({ m, k, n }: Shape) => longer() > 1 || m * k * n < 2 ** 19;
const shapes = defaultCampaign.shapes
  .filter(isQuick)
  .filter((_, at, all) => at % 6 === 0 || at === all.length - 1);

async function judged(spec: ReturnType<typeof kernelOf>, only?: readonly string[]) {
  const precision = precisions.find(spec.precision);
  const kernel = externalKernel(spec, openFunctionKernel(spec), claimedIn(precision, spec.claims));
  const campaign = {
    ...defaultCampaign,
    kernels: ['mine'],
    precisions: [spec.precision],
    shapes,
    replicates: 0,
    plain: true,
  };
  const all = [...campaign.inputs.filter((name) => name !== 'special-values'), 'uniform-0-1'];
  const inputs = only ?? all;
  const failed: string[] = [];
  for (const value of planCampaign({ ...campaign, inputs }, catalogueOf([spec]))) {
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    if (found instanceof ParanoiaError) throw found;
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    if (verdict === 'fail') failed.push(`${formatCase(value)}: ${reason}`);
  }
  return failed;
}

describe.each(some(['f16-f32', 'bf16-f32', 'tf32-f32'], 3))('%s', (precision) => {
  const adders: readonly (readonly [string, Sum])[] = [
    ['four terms in 24 bits', sums.atOnce(4, 24)],
    ['binary32', sums.sequential],
    ['binary32, cut off', sums.towardZero],
    ['eight terms in 26 bits', sums.atOnce(8, 26)],
    ['sixteen terms in 25 bits', sums.atOnce(16, 25)],
  ];
  test.each(some(adders, 5))('sums in %s pass', async (_, dot) => {
    expect(await judged(kernelOf(precision, dot))).toEqual([]);
  });

  test.each<[string, Sum]>([
    ['one by one', sums.inBits(14)],
    ['32 terms at once', sums.atOnce(32, 14)],
  ])('sums in 14 bits, %s, fail, on random data too', async (_, dot) => {
    const failed = await judged(kernelOf(precision, dot), ['uniform', 'integers']);
    expect(failed.some((text) => text.includes('input=uniform;'))).toBe(true);
    expect(failed.some((text) => text.includes('input=integers;'))).toBe(true);
  });

  test('sums of 32 terms in 14 bits pass where that is claimed', async () => {
    const claims: Claims = { arithmetic: { rounding: 'toward-zero', accumulator: { terms: 32, bits: 14 } } };
    const failed = await judged(kernelOf(precision, sums.atOnce(32, 14), claims));
    expect(failed).toEqual([]);
  });
});
