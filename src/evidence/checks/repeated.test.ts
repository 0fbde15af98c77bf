import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { createRandom } from '../../base/random.ts';
import { findInput } from '../../inputs/inputs.ts';
import type { Claims } from '../../kernels/claims.ts';
import { claimedPlan } from '../../kernels/external-kernel.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import { compile } from '../../plan/compile.ts';
import { applyClaims } from '../../precision/precision.ts';
import { precisions } from '../../precision/precisions.ts';
import * as diagnosing from '../diagnose.ts';
import type { Evidence } from '../evidence.ts';
import { analysisOf, weigh } from '../weigh.ts';
import { defaultThresholds } from './check.ts';
import { repeatable, unbiased } from './repeated.ts';

const shape = { m: 2, k: 1, n: 2 };
const plan = compile({ algorithm: findAlgorithm('classical'), shape });
function judgedPair(first: number[], second?: number[]) {
  const product = (data: number[]) => ({ c: { rows: 2, cols: 2, data: Float32Array.from(data) } });
  const again = second === undefined ? undefined : product(second);
  const evidence = { outcomes: [product(first), again], plan, gemm: plainGemm(shape), claims: {} };
  return repeatable.judge(evidence as unknown as Evidence, defaultThresholds);
}

describe('a product multiplied twice', () => {
  it('passes with the same bits, NaN among them', () => {
    expect(judgedPair([1, 2, Number.NaN, 4], [1, 2, Number.NaN, 4]).status).toBe('pass');
  });

  it('fails with one other bit, and says where and what', () => {
    const { status, message } = judgedPair([1, 2, 3, 4], [1, 2, 3, 4 + 2 ** -21]);
    expect(status).toBe('fail');
    expect(message).toMatch(
      /^The same product was computed twice, with different bits\. 1 of 4 entries differs: entry \(1, 1\) was first 4, then 4\.000000476837158\.$/,
    );
    expect(judgedPair([0, 0, 0, 0], [0, -0, 0, 0]).status).toBe('fail');
  });

  it('fails where the second product has another size', () => {
    expect(judgedPair([1, 2, 3, 4], [1, 2]).status).toBe('fail');
  });

  it('fails with the product of a batch, what stood between, and where bits differ', () => {
    const product = (...data: number[]) => ({ c: { rows: 4, cols: 2, data: Float32Array.from(data) } });
    const again = { ...product(1, 2, 3, 4, 5, 6, 9, 9), when: 'after a product of 1×1×1' };
    const evidence = {
      ...{
        outcomes: [product(1, 2, 3, 4, 5, 6, 7, 8), again],
        plan,
        claims: {},
      },
      gemm: { ...plainGemm(shape), batch: 2 },
    };
    const { explain, ...said } = repeatable.judge(evidence as unknown as Evidence, defaultThresholds);
    const message = (where: string) =>
      `The same product was computed twice, with different bits; the second time after a product of 1×1×1. 2 of 8 entries differ${where}. Entry (1, 0) of product 1 was first 7, then 9.`;
    expect(said).toEqual({ status: 'fail', message: message('') });
    const describeWrong = (_: unknown, wrong: Uint8Array) => `places ${wrong.join('')}`;
    expect(explain?.({ ...diagnosing, describeWrong }).message).toBe(message(': places 00000011'));
  });

  it('has nothing to say of a kernel that does not claim it', () => {
    const evidence = { claims: { deterministic: false }, outcomes: [{}, {}] };
    expect(repeatable.judge(evidence as unknown as Evidence, defaultThresholds)).toEqual({
      status: 'not-applicable',
      message: 'The kernel claims deterministic: false.',
    });
  });

  it('has nothing to say of a product multiplied once', () => {
    expect(judgedPair([1, 2, 3, 4]).status).toBe('not-applicable');
  });
});

const claims = { deterministic: false, arithmetic: { rounding: 'stochastic' } } as const;
const spacing = (x: number) => 2 ** (Math.floor(Math.log2(Math.abs(x))) - 23);

/** Computes a product whose sums go to one of two neighbors. `upper` decides for the upper one by how near it is. */
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

function judged(
  side: number,
  upper: (share: number) => boolean,
  own: Claims = claims,
  { precision = 'f32', beta = 0, k = 48 } = {},
) {
  const family = findInput('uniform');
  const shape = { m: side, k, n: side };
  const of = precisions.find(precision);
  const operands = { ...family.generate({ ...shape, levels: 0, seed: 5, precision: of }), family };
  const c = family.generate({ m: side, k: side, n: side, levels: 0, seed: 6, precision: of }).a;
  const kernel = { claims: own, leaf: '', algorithm: 'classical', ...applyClaims(of, own) };
  const job = {
    kernel,
    plan: claimedPlan(claims, shape),
    operands: { ...operands, c },
    gemm: { ...plainGemm(shape), beta },
  };
  const outcome = () => {
    const { data, ...size } = product(operands.a, operands.b, upper);
    const added = data.map((x, e) => of.d.round(Math.fround(x + Math.fround(beta * c.data[e]))));
    return { c: { ...size, data: added }, unwritten: 0, overwritten: 0 };
  };
  const evidence = weigh(job, [outcome(), outcome()], { analysis: analysisOf(job) });
  return unbiased.judge(evidence, defaultThresholds);
}

const random = createRandom(3, 1);

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
  expect(message).toMatch(/^The rounding is not random, or is biased: /);
});

it('has nothing to say of few entries, nor of kernels that do not claim it', () => {
  expect(judged(8, () => false).status).toBe('not-applicable');
  expect(judged(64, () => false, {}).status).toBe('not-applicable');
});

it.each<[string, { precision?: string; beta?: number; k?: number }, Claims?]>([
  ['to nearest', { precision: 'bf16-f32-bf16' }],
  [
    'to either neighbour',
    { precision: 'bf16-f32-bf16' },
    { ...claims, arithmetic: { ...claims.arithmetic, result: { rounding: 'faithful' } } },
  ],
  ['beside beta·C', { beta: 0.7, k: 1 }],
])(
  'has nothing to say of sums that are rounded at random, and complete ones %s: two runs round these alike',
  (_, own, told) => {
    expect(judged(64, (share) => random.uniform(0, 1) < share, told, own).status).toBe('not-applicable');
  },
);
