import { describe, expect, test } from 'vitest';
import { productsOf, type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { exactness } from '../src/evidence/checks/exactness.ts';
import { sigma } from '../src/evidence/checks/sigma.ts';
import { analysisOf, weigh } from '../src/evidence/weigh.ts';
import { findInput } from '../src/inputs/inputs.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { matrix, type Shape } from '../src/matrix/dense.ts';
import { plainGemm } from '../src/matrix/gemm.ts';
import { f32 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { readRunFactor } from '../src/vitest/check-law.ts';
import { some } from './some.ts';

/**
 * The law: an accumulator of one, two or four bits less fails on whole numbers. One of two or four bits less fails on random data too, long
 * sums included. Honest ones pass, up to k = 10^6.
 *
 * Why: whole numbers fill the bits of sums. Errors of sums of two bits less are at most four times the expected ones, so that their root
 * mean square exceeds one sigma.
 */
const sums = sumsIn(f32);

function evidenceOf(sum: SumFunction, family: string, shape: Shape, claims: Claims = {}) {
  const { m, k, n } = shape;
  const input = findInput(family);
  const { a, b } = input.generate({ ...shape, levels: 0, seed: 9 });
  const columns = Float32Array.from(b.data, (_, e) => b.data[(e % k) * n + Math.floor(e / k)]);
  const c = Float32Array.from({ length: m * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    const row = (a.data as Float32Array).subarray(i * k, (i + 1) * k);
    return sum(productsOf(row, columns.subarray(j * k, (j + 1) * k)));
  });
  const kernel = { claims, leaf: '', algorithm: 'classical', ...applyClaims(singlePrecision, claims) };
  const operands = { a, b, family: input };
  const job = { kernel, plan: claimedPlan(claims, shape), operands, gemm: plainGemm(shape) };
  const product = { c: matrix(m, n, c), unwritten: 0, overwritten: 0 };
  return weigh(job, [product], { analysis: analysisOf(job) });
}

const long = { m: 16, k: readRunFactor() > 1 ? 32_768 : 8192, n: 16 };
const judged = (...of: Parameters<typeof evidenceOf>) => sigma.judge(evidenceOf(...of), defaultThresholds);

describe.each(some(['relu', 'uniform', 'uniform-0-1', 'uniform-2-5', 'softmax'], 5))('of %s', (family) => {
  test('honest sums pass', () => expect(judged(sums.sequential, family, long).status).toBe('pass'));

  test.each([2, 4])('sums of %i bits less fail', (less) => {
    expect(judged(sums.inBits(24 - less), family, long).status).toBe('fail');
  });

  test.each<[string, SumFunction, Claims]>([
    ['halves of halves', sums.pairwise(1), { order: 'pairwise' }],
    ['doubles', sums.inDoubles, { arithmetic: { accumulator: { bits: 53 } } }],
  ])('sums that are claimed in %s pass, and one after the other fail', (_, dot, claims) => {
    expect(judged(dot, family, long, claims).status).toBe('pass');
    expect(judged(sums.sequential, family, long, claims).status).toBe('fail');
  });
});

test.each([1, 2, 4])('of integers, sums of %i bits less fail', (less) => {
  // One of the default shapes: the fewer terms, the nearer sums come to the largest that stays exact.
  const shape = { m: 64, k: 1, n: 64 };
  const of = (dot: SumFunction) => exactness.judge(evidenceOf(dot, 'integers', shape), defaultThresholds);
  expect(of(sums.sequential).status).toBe('pass');
  expect(of(sums.inBits(24 - less)).status).toBe('fail');
});

test('sums of a million terms are judged', () => {
  const shape = { m: 2, k: 1_000_000, n: 1 };
  expect(judged(sums.sequential, 'uniform', shape).status).toBe('pass');
  expect(judged(sums.pairwise(128), 'uniform', shape, { order: 'pairwise' }).status).toBe('pass');
  // If terms have one sign, large sums lose more of them than chance explains.
  expect(judged(sums.sequential, 'uniform-0-1', shape).status).toBe('not-applicable');
});
