import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { builtinCaseItems } from '../../src/kernels/case-items.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { applyClaims } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { formatCase } from '../../src/problem/case.ts';
import { orderPlanned } from '../../src/run/core.ts';
import { readRunFactor } from '../../src/vitest/check-law.ts';
import { cpuJudge } from '../cpu-judge.ts';

/** Kernels with epilogues, partial sums, quantized activations and structures, by an author who had not read the checks. */
const folder = new URL('../../fixtures/shipped-kernels/', import.meta.url);

/** One kernel in so many is judged; with PARANOIA_RUNS=16 all are. */
const EACH = Math.max(1, Math.round(16 / readRunFactor()));
const listed = (kind: 'faults' | 'honest') =>
  readdirSync(new URL(`${kind}/`, folder))
    .filter((_, at) => at % EACH === 0)
    .map((file) => [kind, file] as const);

/** The most cases of a gate: every fault showed in fewer when it was new. */
const MOST = { faults: 400, honest: 40 };

const judging = { limits: defaultThresholds };

/** Judges the first cases of the default gate, up to the first failure. */
async function judged(kind: keyof typeof MOST, file: string) {
  const [spec] = Object.values(await import(new URL(`${kind}/${file}`, folder).href)) as FunctionKernel[];
  const catalog = makeKernelCatalog([spec], builtinCaseItems);
  const planned = orderPlanned(planCampaign({ ...defaultCampaign, kernels: [spec.name] }, catalog));
  const computation = applyClaims(precisions.find(spec.precision ?? 'f32'), spec.claims);
  const judge = cpuJudge(() => externalKernel(spec, openFunctionKernel(spec), computation));
  for (const value of planned.slice(0, MOST[kind])) {
    const { after = [] } = value;
    const { result } = await (after.length === 0
      ? judge.alone(value, judging)
      : judge.after(after, value, judging));
    if (result.verdict !== 'pass')
      return { of: formatCase(value), verdict: result.verdict, reason: result.reason };
  }
  return { verdict: 'pass' };
}

test.each(listed('faults'))('%s/%s fails', async (kind, file) => {
  expect(await judged(kind, file)).toMatchObject({ verdict: 'fail' });
});

test.each(listed('honest'))('%s/%s passes', async (kind, file) => {
  expect(await judged(kind, file)).toEqual({ verdict: 'pass' });
});
