import { expect } from 'vitest';
import { itWhole } from '../src/base/in-short.testing.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import { everything } from '../src/matrix/features.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { parseCase } from '../src/problem/case.ts';
import { cpuJudge } from './cpu-judge.ts';

/**
 * The law: an honest kernel is exact where the check `exact` applies, for all sequences of edits, all matrices shared within a batch, and
 * all added matrices.
 *
 * Why: sums stay exact only if A and B that meet share their units, and C is a whole number, too.
 */
const INPUTS = ['integers', 'wild-integers', 'bytes', 'uniform', 'wild'];
const EDITS = [
  ...['ones', 'ones,minus-zeros', 'ones,far-bands:40', 'far-bands:75', 'rescaled', 'permuted,rescaled'],
  ...['rescaled,permuted', 'opposed:5,mixed', 'opposed:-5,patterned', 'gram', 'squared'],
];
const LAID = ['', ';a=n*same', ';b=n*same'];
const FACTORS = ['', ';beta=-1', ';alpha=-1;beta=3.09375'];

const spec: FunctionKernel = {
  name: 'mine',
  accepts: everything,
  multiply(a: Float32Array, b: Float32Array, gemm: Gemm, c: Float32Array, d: Float32Array) {
    eachEntry(a, b, gemm, c.slice(), (entry, place) => {
      d[place(gemm.d)] = entry;
    });
    return d;
  },
};

itWhole.each(EDITS)('after %s', async (edit) => {
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const judge = cpuJudge(() => kernel);
  const cases = INPUTS.flatMap((input) =>
    LAID.flatMap((laid) =>
      FACTORS.flatMap((factors) =>
        [1, 2, 3, 4].map((seed) =>
          parseCase(
            `kernel=mine;input=${input};m=9;k=9;n=9;seed=${seed};batch=4;edit=${edit}${laid}${factors}`,
          ),
        ),
      ),
    ),
  );
  const judged = await judge.judge(cases);
  const exact = judged.map(({ case: value, result }) => ({
    value,
    check: result.checks.find(({ name }) => name === 'exact'),
  }));
  expect(exact.filter(({ check }) => check?.status === 'fail')).toEqual([]);
  // Bands of other sizes are seldom multiples of one common size.
  expect(exact.filter(({ check }) => check?.status === 'pass').length).toBeGreaterThan(4);
});
