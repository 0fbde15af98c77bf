import { expect, test } from 'vitest';
import { isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { externalCases } from '../src/gate/external-campaign.ts';
import { countShapeProducts } from '../src/gate/sampler.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import { everything } from '../src/matrix/features.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { budgetOf } from '../src/run/budget.ts';
import { readRunFactor } from '../src/vitest/check-law.ts';
import { cpuJudge } from './cpu-judge.ts';
import { some } from './some.ts';

/** The law: an honest kernel passes every drawn case. An inconclusive case would leave the whole gate undecided. */
const SMALL = 2 ** 15;

function honest(precision: string): FunctionKernel {
  const { multiplied, d: stored } = precisions.find(precision);
  return {
    name: 'mine',
    precision,
    accepts: everything,
    multiply(a: Float32Array, b: Float32Array, gemm: Gemm, c: Float32Array, d: Float32Array) {
      const before = c.slice();
      eachEntry(a.map(multiplied.round), b.map(multiplied.round), gemm, before, (entry, place) => {
        d[place(gemm.d)] = stored.round(entry);
      });
      return d;
    },
  };
}

itWhole.each(['f32', 'f64', 'f16', 'f16-f32'])('of %s', async (precision) => {
  const spec = honest(precision);
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(precisions.find(precision)));
  const judge = cpuJudge(() => kernel);
  const seeds = Array.from({ length: Math.max(1, readRunFactor()) }, (_, at) => 20_261_126 + at);
  for (const seed of seeds) {
    const draws = { seed, ...(budgetOf('usual') as NonNullable<ReturnType<typeof budgetOf>>) };
    const cases = externalCases({ ...defaultCampaign, draws }, spec).filter(
      ({ drawn, problem }) =>
        drawn === true && countShapeProducts(problem) <= SMALL && problem.repeats < 1000,
    );
    expect(cases.length).toBeGreaterThan(150);
    const judged = await judge.judge(some(cases, isWhole ? 16 : 32));
    const others = judged.filter(({ result }) => result.verdict !== 'pass');
    expect(others.map((one) => [formatCase(one.case), one.result.reason])).toEqual([]);
  }
});

test('with neither A·B nor C, D is 0, whatever the family', async () => {
  const spec = honest('f32');
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(precisions.find('f32')));
  const judge = cpuJudge(() => kernel);
  for (const input of ['permutation', 'uniform', 'special-values', 'subnormals']) {
    for (const empty of ['k=5;alpha=0', 'k=0;alpha=-26.125']) {
      const value = parseCase(`kernel=mine;input=${input};m=9;n=3;${empty}`);
      expect((await judge.one(value)).result.verdict, `${input} ${empty}`).toBe('pass');
    }
  }
});
