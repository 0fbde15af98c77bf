import { describe, expect, test } from 'vitest';
import { ParanoiaError } from '../../src/base/errors.ts';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { resultOf } from '../../src/evidence/result-of.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { isWholeGemm } from '../../src/gate/gemm-sample.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import type { Machine } from '../../src/gpu/device.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { applyClaims } from '../../src/precision/precision.ts';
import { singlePrecision } from '../../src/precision/single.ts';
import { formatCase } from '../../src/problem/case.ts';
import { readRunFactor } from '../../src/vitest/check-law.ts';

/** A kernel by an author who had not read the checks. */
interface Strange extends Pick<FunctionKernel<Float32Array>, 'name' | 'multiply'> {
  readonly what: string;
  readonly deterministic?: boolean;
}
type Kernels = Record<'faults' | 'honest', readonly Strange[]>;
const folder = new URL('../../fixtures/gemm-kernels/', import.meta.url);
const all: readonly Kernels[] = await Promise.all(
  ['first.js', 'second.js'].map((name) => import(new URL(name, folder).href)),
);
const faults = all.flatMap((one) => one.faults);
const honest = all.flatMap((one) => one.honest);
/** The kernel whose compensation turns infinities into NaN, and that claims so. */
const COMPENSATED = 'compensated';

/** Faulty kernels that pass with the default gate's seed: each is wrong only for a combination of several options. */
const MISSED: readonly string[] = [
  'batch-collapsed-into-m',
  'batch-offset-bytes-u16',
  'gemv-before-quick-return',
  'gemv-incy-for-c',
  'negated-pack-broadcast',
  'persistent-c-prefetch',
  'row-cache-wraps',
  'tiny-square-op-order-cancel',
  'warp-dot-start-offset',
  'alpha-squared-when-both-column',
  'c-broadcast-misses-row-offset',
  'm-one-ldd-one',
  'thread-share-rounded-to-8',
];

/** Sampling intervals of cases and of faults; with PARANOIA_RUNS=48 all run. */
const [EACH_CASE, EACH_FAULT] = [48, 9].map((each) => Math.max(1, Math.round(each / readRunFactor())));

const machine = {} as Machine;
// The exact products of one campaign serve all kernels.
const evaluator = new Evaluator(exactProduct, { kept: 300 });

/** Runs the default gate on a kernel until a case fails. @param each one in this many cases runs. */
async function judged({ name, multiply, deterministic = true }: Strange, each = 1) {
  const arithmetic = name === COMPENSATED ? ({ exceptions: 'nan' } as const) : {};
  const claims = { deterministic, arithmetic };
  const spec = { name: 'mine', multiply, accepts: 'everything', claims } as const;
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision, { arithmetic }));
  const cases = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec]));
  // Most faults show in cases that need more than the plain product.
  const inTurn = [...cases.filter(isWholeGemm), ...cases.filter((value) => !isWholeGemm(value))];
  const asked = inTurn.filter((_, at) => (at + name.length) % each === 0);
  const undecided: string[] = [];
  for (const value of asked) {
    const found = await evaluator.attempt({ case: value, kernel }, machine);
    if (found instanceof ParanoiaError) expect(found.blames).toBe('kernel');
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    if (verdict === 'inconclusive') undecided.push(formatCase(value));
    if (verdict === 'fail') return { asked, verdict, of: formatCase(value), reason, undecided };
  }
  return { asked, verdict: 'pass', undecided };
}

describe('the default gate of a kernel that takes everything', () => {
  test('asks for more than A·B of dense matrices in one case of three', async () => {
    const { asked } = await judged(honest[0], 50);
    const spec = { name: 'mine', multiply: honest[0].multiply, accepts: 'everything' } as const;
    const cases = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec]));
    expect(asked.length).toBeGreaterThan(2);
    expect(cases.filter(isWholeGemm).length).toBeGreaterThan(cases.length / 3);
    const plain = planCampaign(
      { ...defaultCampaign, kernels: ['mine'], plain: true },
      makeKernelCatalog([spec]),
    );
    expect(plain.filter(isWholeGemm)).toEqual([]);
  });

  test.each(honest.map((kernel) => [kernel.name, kernel] as const))('passes %s', async (_, kernel) => {
    expect(await judged(kernel, EACH_CASE)).toMatchObject({ verdict: 'pass', undecided: [] });
  });

  test('fails the faults of a stranger, but for those that are known to be missed', async () => {
    const some = faults.filter((_, at) => at % EACH_FAULT === 0);
    const missed: string[] = [];
    for (const fault of some) if ((await judged(fault)).verdict === 'pass') missed.push(fault.name);
    expect(some.length).toBeGreaterThan(100 / EACH_FAULT);
    expect(missed.filter((name) => !MISSED.includes(name))).toEqual([]);
  });
});
