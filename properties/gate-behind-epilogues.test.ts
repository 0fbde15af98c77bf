import { describe, expect, it } from 'vitest';
import { inShort, isWhole } from '../src/base/in-short.testing.ts';
import type { GivenStep } from '../src/epilogue/chain.ts';
import { honestResult } from '../src/evidence/epilogue/honest.testing.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import { builtinCaseItems } from '../src/kernels/case-items.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import type { EpilogueCall } from '../src/matrix/epilogue-call.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { cpuJudge } from './cpu-judge.ts';

/** The steps that a kernel computes in place of the given ones, on a product of some sizes. */
type Mistake = (steps: readonly EpilogueCall[], n: number) => readonly GivenStep[];

const none: Mistake = (steps) => steps;

/** Returns a kernel of dense products that computes the steps of a mistake. */
function kernelOf(precision: string, epilogue: string, mistake = none): FunctionKernel {
  return {
    ...{ name: 'mine', precision, accepts: { epilogue } },
    multiply(a, b, { m, k, n, epilogue: steps = [] }) {
      const given = { a: matrix(m, k, a), b: matrix(k, n, b), precision, epilogue: mistake(steps, n) };
      return honestResult(given, m % 2 === 0).data as Float32Array;
    },
  };
}

/** Judges planned cases with an epilogue, up to a number of small ones. */
async function judged(spec: FunctionKernel, most: number, seed = 1) {
  const draws = {
    ...{ seed, rounds: 1, extent: { products: 2 ** 12, entries: 2 ** 11 } },
    ...{ largest: 1, sizes: 12, programs: 0, sweeps: 0 },
  };
  const catalog = makeKernelCatalog([spec], builtinCaseItems);
  const all = planCampaign({ ...defaultCampaign, kernels: ['mine'], draws, seed }, catalog);
  const small = all.filter(
    ({ problem: { m, k, n, epilogue } }) => m * k * n < 2 ** 14 && m * k * n > 0 && epilogue !== 'none',
  );
  const step = Math.max(1, Math.floor(small.length / most));
  const cases = small.filter((_, at) => at % step === 0).slice(0, most);
  const computation = applyClaims(precisions.find(spec.precision ?? 'f32'));
  const judge = cpuJudge(() => externalKernel(spec, openFunctionKernel(spec), computation));
  const results = [];
  for (const value of cases) results.push((await judge.one(value)).result);
  return results;
}

describe('an honest kernel passes', () => {
  it.each(
    inShort(
      [
        ['f32', 'bias:row,gelu-tanh'],
        ['f16-f32-f16', 'bias:column,silu|residual,relu,scale:scalar'],
        ['int8-i32', 'scale:column,scale:row,bias:row|bias:row,requantize:int8|requantize:uint8:row:any'],
        ['bf16-f32-bf16', 'swiglu|geglu:gate-last,residual|gelu,requantize:e4m3'],
        ['f32', 'clamp,leaky-relu:any|squared-relu,round:bf16,tanh|bias:scalar,sigmoid,residual'],
      ],
      3,
    ),
  )('in %s behind %s', async (precision, epilogue) => {
    for (let seed = 1; seed <= (isWhole ? 4 : 1); seed++)
      for (const { case: text, verdict, reason } of await judged(
        kernelOf(precision, epilogue),
        isWhole ? 60 : 12,
        seed,
      ))
        expect(verdict, `${text}: ${reason}`).toBe('pass');
  });
});

const without =
  (name: string): Mistake =>
  (steps) =>
    steps.filter(({ step }) => step !== name);
const changed =
  (name: string, change: (step: EpilogueCall) => GivenStep | readonly GivenStep[]): Mistake =>
  (steps) =>
    steps.flatMap((step) => (step.step === name ? change(step) : step));
const rolled = ({ data, ...x }: Matrix): Matrix => ({
  ...x,
  data: data.map((_, e) => data[(e + 1) % data.length]),
});

const row = (what: string, epilogue: string, mistake: Mistake, precision = 'f32') => ({
  ...{ what, epilogue, mistake, precision },
});

/** Mistakes, each with an epilogue that shows it. */
const mistakes = [
  row('the bias is skipped', 'bias:row,relu', without('bias')),
  row(
    'the bias is added twice',
    'bias:column,silu',
    changed('bias', (step) => [step, step]),
  ),
  row(
    'the bias is that of the next column',
    'bias:row,tanh',
    changed('bias', (step) => ({ ...step, values: rolled(step.values as Matrix) })),
  ),
  row('the bias is added after the activation', 'bias:row,gelu', ([bias, gelu]) => [gelu, bias]),
  row('the activation is skipped', 'bias:scalar,squared-relu', without('squared-relu')),
  row(
    'tanh of GELU is computed for erf',
    'gelu',
    changed('gelu', () => 'gelu-tanh'),
  ),
  row(
    'sigmoid is computed for SiLU',
    'silu,residual',
    changed('silu', () => 'sigmoid'),
  ),
  row('the scale is skipped', 'scale:row,bias:row', without('scale')),
  row(
    'a quotient is computed for a product',
    'scale:scalar',
    changed('scale', ({ values }) => ({ step: 'scale', values: 1 / (values as number) })),
  ),
  row('the residual is skipped', 'relu,residual', without('residual')),
  row(
    'the halves of a gate are exchanged',
    'swiglu',
    changed('swiglu', (step) => ({ ...step, order: 'gate-last' })),
  ),
  row(
    'the slope is the usual one',
    'leaky-relu:any',
    changed('leaky-relu', () => 'leaky-relu'),
  ),
  row(
    'the upper end is ignored',
    'clamp',
    changed('clamp', (step) => ({ ...step, high: 1e30 })),
  ),
  row(
    'codes are truncated',
    'requantize:int8',
    changed('requantize', (step) => ({ ...step, rounding: 'toward-zero' })),
    'int8-i32',
  ),
  row(
    'codes wrap around',
    'requantize:int8',
    changed('requantize', (step) => ({ ...step, overflow: 'wraps' })),
    'int8-i32',
  ),
  row(
    'the zero point is left out',
    'requantize:uint8:row:any',
    changed('requantize', (step) => ({ ...step, zeroPoint: 0 })),
    'int8-i32',
  ),
];

describe('a mistake fails', () => {
  it.each(inShort(mistakes, 5))('$what: $epilogue', async ({ epilogue, mistake, precision }) => {
    const results = await judged(kernelOf(precision, epilogue, mistake), 16);
    expect(results.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(2);
  });
});

it('a kernel that changes the numbers of an epilogue fails', async () => {
  const spec = kernelOf('f32', 'bias:row', (steps) => {
    const { data } = steps[0].values as Matrix;
    const [found] = [[{ ...steps[0], values: matrix(1, data.length, data.slice()) }]];
    data[0] += 1;
    return found;
  });
  const [{ verdict, reason }] = await judged(spec, 3);
  expect([verdict, reason]).toEqual([
    'fail',
    expect.stringContaining('1 entry of the operands was overwritten'),
  ]);
});
