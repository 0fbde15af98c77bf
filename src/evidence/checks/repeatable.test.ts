import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import { compile } from '../../plan/compile.ts';
import * as diagnosing from '../diagnose.ts';
import type { Evidence } from '../evidence.ts';
import { defaultThresholds } from './check.ts';
import { repeatable } from './repeatable.ts';

const shape = { m: 2, k: 1, n: 2 };
const plan = compile({ algorithm: findAlgorithm('classical'), shape });
function judged(first: number[], second?: number[]) {
  const product = (data: number[]) => ({ c: { rows: 2, cols: 2, data: Float32Array.from(data) } });
  const again = second === undefined ? undefined : product(second);
  const evidence = { outcomes: [product(first), again], plan, gemm: plainGemm(shape), claims: {} };
  return repeatable.judge(evidence as unknown as Evidence, defaultThresholds);
}

describe('a product multiplied twice', () => {
  it('passes with the same bits, NaN among them', () => {
    expect(judged([1, 2, Number.NaN, 4], [1, 2, Number.NaN, 4]).status).toBe('pass');
  });

  it('fails with one other bit, and says where and what', () => {
    const { status, message } = judged([1, 2, 3, 4], [1, 2, 3, 4 + 2 ** -21]);
    expect(status).toBe('fail');
    expect(message).toMatch(
      /^1 of 4 entries differs when the same product ran again; at \(1, 1\).* first 4, then 4\.000000476837158\.$/,
    );
    expect(judged([0, 0, 0, 0], [0, -0, 0, 0]).status).toBe('fail');
  });

  it('fails where the second product has another size', () => {
    expect(judged([1, 2, 3, 4], [1, 2]).status).toBe('fail');
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
      `2 of 8 entries differ when the same product ran again after a product of 1×1×1${where}; at (1, 0) of product 1 first 7, then 9.`;
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
    expect(judged([1, 2, 3, 4]).status).toBe('not-applicable');
  });
});
