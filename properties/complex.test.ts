import { describe, expect, test } from 'vitest';
import { ParanoiaError } from '../src/base/errors.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import type { Machine } from '../src/gpu/device.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { readRunFactor } from '../src/vitest/check-law.ts';
import {
  type Change,
  complexFaults,
  complexProduct,
  factorFaults,
  inThree,
  recovered,
} from './complex-kernels.ts';

const machine = {} as Machine;
const evaluator = new Evaluator(exactProduct, { kept: 100 });

type Spec = Omit<FunctionKernel<Float32Array>, 'name' | 'multiply'> & { readonly multiply: unknown };

/** Most multiplications of a case's product. */
const SMALL = 2 ** 14;
/** Sampling interval: one in this many cases runs; with PARANOIA_RUNS=20 all do. */
const EACH = Math.max(1, Math.round(20 / readRunFactor()));

/** Plans the default gate of a kernel. Kernels of equal claims share it, whatever they compute. */
function plannedFor(spec: FunctionKernel<Float32Array>) {
  const said = JSON.stringify(spec);
  const known = plans.get(said);
  if (known !== undefined) return known;
  const planned = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec]));
  plans.set(said, planned);
  return planned;
}
const plans = new Map<string, ReturnType<typeof planCampaign>>();

/** Returns the first case of the default gate that fails, and the number of cases that ran. */
async function judged(given: Spec, each = EACH) {
  const spec = { name: 'mine', accepts: 'everything', ...given } as FunctionKernel<Float32Array>;
  const computation = applyClaims(precisions.find(spec.precision ?? 'c32'), spec.claims);
  const kernel = externalKernel(spec, openFunctionKernel(spec), computation);
  const planned = plannedFor(spec);
  const cases = planned.filter(({ problem: { m, k, n, batch } }) => m * k * n * batch <= SMALL);
  let asked = 0;
  for (const value of cases.filter((_, at) => at % each === 0)) {
    const found = await evaluator.attempt({ case: value, kernel }, machine);
    if (found instanceof ParanoiaError) expect(found.blames).toBe('kernel');
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    asked++;
    if (verdict !== 'pass') return { verdict, of: formatCase(value), reason };
  }
  return { verdict: 'pass', asked };
}

/** Computes (beta + 0i)·C, which turns an infinite part into NaN in the other. */
const spreading: Change = {
  write: ([re, im], _, { beta }, [cr, ci]) => [re + beta * ci * 0, im + beta * cr * 0],
};

describe('the default gate of a complex kernel', () => {
  const threeM = { algorithm: '3m' } as const;
  test.each(
    inShort<[string, Spec]>(
      [
        ['interleaved', { precision: 'c32', multiply: complexProduct('interleaved') }],
        ['planar', { precision: 'c32', entries: 'planar', multiply: complexProduct('planar') }],
        [
          'of recovered infinities',
          { precision: 'c32', multiply: complexProduct('interleaved', { dot: recovered }) },
        ],
        [
          'whose beta is a complex number',
          { precision: 'c32', multiply: complexProduct('planar', spreading), entries: 'planar' },
        ],
        ['of two doubles', { precision: 'c64', multiply: complexProduct('interleaved') }],
        ['4M', { precision: 'c32', claims: { algorithm: '4m' }, multiply: complexProduct('interleaved') }],
        [
          '3M',
          { precision: 'c32', claims: threeM, multiply: complexProduct('interleaved', { dot: inThree }) },
        ],
        ['3M that is 4M', { precision: 'c64', claims: threeM, multiply: complexProduct('interleaved') }],
      ],
      5,
    ),
  )('passes an honest one, %s', async (_, spec) => {
    const { asked = 0, ...found } = await judged(spec);
    expect(found).toEqual({ verdict: 'pass' });
    expect(asked).toBeGreaterThan(5);
  });

  test('passes an honest one among products that little tells apart', async () => {
    const spec = { name: 'mine', precision: 'c32', multiply: complexProduct('interleaved') } as const;
    const kernel = externalKernel(
      spec as never,
      openFunctionKernel(spec as never),
      applyClaims(precisions.find('c32')),
    );
    for (let seed = 1; seed <= 8; seed++) {
      const value = parseCase(`kernel=mine;input=uniform;m=2;k=3;n=2;seed=${seed};precision=c32;repeats=3`);
      const found = await evaluator.attempt({ case: value, kernel }, machine);
      const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
      expect(verdict, `seed ${seed}: ${reason}`).toBe('pass');
    }
  });

  test.each(inShort(Object.keys(complexFaults), 12))('fails %s', async (name) => {
    const entries = name.length % 2 === 0 ? 'planar' : 'interleaved';
    const found = await judged(
      { precision: 'c32', entries, multiply: complexProduct(entries, complexFaults[name]) },
      3,
    );
    expect(found.verdict).toBe('fail');
  });

  test.each(
    inShort(
      [
        ['parts-swapped', 'real and imaginary parts were swapped'],
        ['b-not-conjugated', 'B was conjugated by mistake, or not conjugated where it should be'],
        ['d-conjugated', 'D was conjugated'],
      ],
      2,
    ),
  )('names %s', async (name, says) => {
    const multiply = complexProduct('interleaved', complexFaults[name]);
    expect((await judged({ precision: 'c32', multiply }, 3)).reason).toContain(says);
  });
});

describe('with imaginary parts of alpha and beta', () => {
  const accepts = { alpha: true, beta: true, complexFactors: true };
  const made = (change?: Change, precision = 'c32'): Spec => ({
    ...{ precision, accepts, multiply: complexProduct('interleaved', change) },
  });

  test.each(
    inShort<[string, Spec]>(
      [
        ['that multiplies sums', made()],
        ['that multiplies entries of A', made({ alphaFirst: true })],
        ['of two doubles', made({ alphaFirst: true }, 'c64')],
        ['of 3M', { ...made({ alphaFirst: true, dot: inThree }), claims: { algorithm: '3m' } }],
      ],
      2,
    ),
  )('an honest one passes, %s', async (_, spec) => {
    expect(await judged(spec, EACH)).toMatchObject({ verdict: 'pass' });
  });

  test.each(inShort(Object.keys(factorFaults), 5))('%s fails', async (name) => {
    expect((await judged(made(factorFaults[name]), 1)).verdict).toBe('fail');
  });

  test.each([
    ['alpha-conjugated', 'alpha was conjugated'],
    ['beta-imaginary-lost', 'the imaginary part of beta was ignored'],
  ])('%s is named', async (name, says) => {
    expect((await judged(made(factorFaults[name]), 1)).reason).toContain(says);
  });
});
