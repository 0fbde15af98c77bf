import { expect, it } from 'vitest';
import { matrix } from '../../matrix/dense.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import type { Evidence } from '../evidence.ts';
import { defaultThresholds } from './check.ts';
import { empty } from './empty.ts';

const judged = (m: number, n: number, left: object = {}) => {
  const product = { c: matrix(m, n, new Float32Array(m * n)), unwritten: 0, overwritten: 0, ...left };
  const evidence = { outcomes: [product], gemm: plainGemm({ m, k: 3, n }) };
  return empty.judge(evidence as unknown as Evidence, defaultThresholds).status;
};

it('a product without entries passes where nothing was written, and is no pass of any other', () => {
  expect([judged(0, 5), judged(5, 0), judged(0, 0)]).toEqual(['pass', 'pass', 'pass']);
  expect(judged(2, 5)).toBe('not-applicable');
  expect([judged(0, 5, { overwritten: 1 }), judged(0, 5, { changed: 2 })]).toEqual(['fail', 'fail']);
});
