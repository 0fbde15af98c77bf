import { expect, it } from 'vitest';
import { plainGemm } from '../matrix/gemm.ts';
import { isLarge } from './is-large.ts';
import { thorough } from './reference.ts';

it.each<[boolean, number, number, number, number?]>([
  [false, 512, 512, 512],
  [true, 512, 513, 512],
  // An entry takes a hundred bytes with its reference, however short its sum is.
  [false, 4096, 1, 4096],
  [true, 4097, 1, 4096],
  [true, 4097, 0, 4096],
  // Small products of a batch are compared whole.
  [false, 64, 64, 64, 10_000],
  [true, 256, 1, 256, 300],
])('%s: %i×%i×%i is judged by projections', (expected, m, k, n, batch = 1) => {
  const gemm = { ...plainGemm({ m, k, n }), batch };
  const job = { kernel: { followsPlan: false }, plan: { shape: { m, k, n } }, gemm };
  expect(isLarge(job, thorough)).toBe(expected);
});
