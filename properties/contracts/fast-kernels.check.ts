import { expect, test } from 'vitest';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { resultOf } from '../../src/evidence/result-of.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import type { Machine } from '../../src/gpu/device.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { applyClaims } from '../../src/precision/precision.ts';
import { singlePrecision } from '../../src/precision/single.ts';
import { formatCase } from '../../src/problem/case.ts';
import type { Recursion } from '../../src/readers/recursion.ts';
import { readRunFactor } from '../../src/vitest/check-law.ts';

/** A fast kernel by an author who had not read the checks. */
interface Strange extends Pick<FunctionKernel<Float32Array>, 'name' | 'multiply'> {
  readonly what: string;
  readonly claims: Claims;
}
const { honest, faults }: Record<'honest' | 'faults', readonly Strange[]> = await import(
  new URL('../../fixtures/fast-kernels/first.js', import.meta.url).href
);

/** The recursions of some of them, as stated by their author. */
const RECURSIONS: Readonly<Record<string, Recursion>> = {
  's1-static': { fringe: 'static-pad' },
  'w3-static': { fringe: 'static-pad' },
  's2-pow2': { fringe: 'power-pad' },
  'w1-pow2': { fringe: 'power-pad' },
  's2-level': { fringe: 'dynamic-pad' },
  'w3-level': { fringe: 'dynamic-pad' },
  's2-peel': { fringe: 'dynamic-peel' },
  'w3-peel': { fringe: 'dynamic-peel' },
  's3-peelonce': { fringe: 'static-peel' },
  'w2-peelonce': { fringe: 'static-peel' },
  's1-rows-swapped': { fringe: 'static-pad', reversed: ['rows'] },
  's2-inner-swapped': { fringe: 'static-pad', reversed: ['inner'] },
  'w2-columns-swapped': { fringe: 'static-pad', reversed: ['columns'] },
  'w1-all-swapped': { fringe: 'static-pad', reversed: ['rows', 'inner', 'columns'] },
  's2-transposed': { fringe: 'static-pad', transposed: true },
  'w2-transposed': { fringe: 'dynamic-peel', transposed: true },
  'w1-rot1': { fringe: 'static-pad', turned: 1 },
  'w2-rot2': { fringe: 'static-pad', turned: 2 },
  's3-sum-pair': { fringe: 'static-pad' },
  'w2-table49': { fringe: 'static-pad' },
};

/** Faulty kernels that the default gate passes without a claim of recursion: their errors are small beside the allowed ones. */
const MISSED: readonly string[] = [
  ...['s1-tf32x2', 's2-sums-20', 'w2-sums-22', 's3-combine-22', 'w2-trunc-acc', 's2-trunc-products'],
  ...['s2-trunc-C', 's1-trunc-S', 's1-does-2', 's1-does-3', 's2-does-3', 'w1-does-2', 'w2-does-3'],
  ...['s1-is-winograd', 'w1-is-strassen', 's2-is-classical', 's2-cutoff', 's1-row-256', 's1-flush-1e-20'],
  ...['w1-flush-sums', 's2-flush-1e-6', 's2-kahan-lost', 'w2-kahan-sign', 'w2-M6-20'],
];

/** Sampling intervals of cases and of faults; with PARANOIA_RUNS=80 all run. */
const [EACH_CASE, EACH_FAULT] = [80, 12].map((each) => Math.max(1, Math.round(each / readRunFactor())));

// The exact products of one campaign serve all kernels.
const evaluator = new Evaluator(exactProduct, { kept: 200 });

/** Runs the default gate on a kernel until a case fails. @param each one in this many cases runs. */
async function judged({ name, multiply, claims }: Strange, each: number, recursion?: Recursion) {
  const spec = { name: 'mine', multiply, claims: { ...claims, recursion } } as const;
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const cases = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec]));
  for (const value of cases.filter((_, at) => (at + name.length) % each === 0)) {
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    if (verdict === 'fail') return { verdict, of: formatCase(value), reason };
  }
  return { verdict: 'pass' };
}

test.each(honest.map((kernel) => [kernel.name, kernel] as const))(
  'the default gate passes %s, of whose recursion nothing is claimed',
  async (_, kernel) => {
    expect(await judged(kernel, EACH_CASE)).toEqual({ verdict: 'pass' });
  },
);

test.each(Object.entries(RECURSIONS))('it passes %s as %o', async (name, recursion) => {
  const kernel = honest.find((one) => one.name === name) as Strange;
  expect(await judged(kernel, EACH_CASE, recursion)).toEqual({ verdict: 'pass' });
});

test('it fails a claim of the wrong recursion', async () => {
  const swapped = honest.find(({ name }) => name === 'w1-all-swapped') as Strange;
  const { verdict } = await judged(swapped, 1, { fringe: 'static-pad', schedule: 'scheduled' });
  expect(verdict).toBe('fail');
});

test('it fails the faults of a stranger, but for those that are known to be missed', async () => {
  const some = faults
    .filter(({ name }) => readRunFactor() > 1 || !MISSED.includes(name))
    .filter((_, at) => at % EACH_FAULT === 0);
  const missed: string[] = [];
  for (const fault of some) if ((await judged(fault, 1)).verdict === 'pass') missed.push(fault.name);
  expect(some.length).toBeGreaterThan(60 / EACH_FAULT);
  expect(missed.filter((name) => !MISSED.includes(name))).toEqual([]);
});
