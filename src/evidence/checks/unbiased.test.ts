import { expect, it } from 'vitest';
import { seeded } from '../../base/random.ts';
import { findInput } from '../../inputs/inputs.ts';
import { claimedPlan } from '../../kernels/external-kernel.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import { claimedIn } from '../../precision/precision.ts';
import { singlePrecision } from '../../precision/single.ts';
import { analysisOf, weigh } from '../weigh.ts';
import { defaultThresholds } from './check.ts';
import { unbiased } from './unbiased.ts';

const claims = { deterministic: false, arithmetic: { rounding: 'stochastic' } } as const;
const spacing = (x: number) => 2 ** (Math.floor(Math.log2(Math.abs(x))) - 23);

/** A product whose sums go to one of two neighbours: the upper one with the chance that `upper` says, of how near it is. */
function product(a: Matrix, b: Matrix, upper: (share: number) => boolean): Matrix {
  const data = Float32Array.from({ length: a.rows * b.cols }, (_, e) => {
    const [i, j] = [Math.floor(e / b.cols), e % b.cols];
    let sum = 0;
    for (let p = 0; p < a.cols; p++) {
      const exact = sum + a.data[i * a.cols + p] * b.data[p * b.cols + j];
      const last = exact === 0 ? 1 : spacing(exact);
      const lower = Math.floor(exact / last);
      sum = (lower + (exact / last > lower && upper(exact / last - lower) ? 1 : 0)) * last;
    }
    return sum;
  });
  return { rows: a.rows, cols: b.cols, data };
}

function judged(side: number, upper: (share: number) => boolean, own: object = claims) {
  const family = findInput('uniform');
  const shape = { m: side, k: 48, n: side };
  const operands = { ...family.generate({ ...shape, levels: 0, seed: 5 }), family };
  const kernel = { claims: own, leaf: '', algorithm: 'classical', ...claimedIn(singlePrecision, claims) };
  const job = { kernel, plan: claimedPlan(claims, shape), operands, gemm: plainGemm(shape) };
  const outcome = () => ({ c: product(operands.a, operands.b, upper), unwritten: 0, overwritten: 0 });
  const evidence = weigh(job, [outcome(), outcome()], { analysis: analysisOf(job) });
  return unbiased.judge(evidence, defaultThresholds);
}

const random = seeded(3, 1);

it('passes what is rounded at random', () => {
  for (let run = 0; run < 5; run++) {
    const { status, found } = judged(64, (share) => random.uniform(0, 1) < share);
    expect(status).toBe('pass');
    expect(Math.abs(found as number)).toBeLessThan(3);
  }
});

it.each([
  ['to nearest', (share: number) => share > 0.5],
  ['down', () => false],
  ['at random, with a bias', (share: number) => random.uniform(0, 1) < share ** 3],
])('fails what is rounded %s', (_, upper) => {
  const { status, message } = judged(64, upper);
  expect(status).toBe('fail');
  expect(message).toMatch(/^It does not round at random, or with a bias: in sigmas, /);
});

it('has nothing to say of few entries, nor of kernels that do not claim it', () => {
  expect(judged(8, () => false).status).toBe('not-applicable');
  expect(judged(64, () => false, {}).status).toBe('not-applicable');
});
