import { expect, test } from 'vitest';
import { matrix, zerosF32 } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { precisions } from '../precision/precisions.ts';
import type { Evidence } from './evidence.ts';
import { recognise } from './hypotheses.ts';

/** What is said of a product of random data that shows so many significant bits. */
function said(precision: string, bits: number): string | undefined {
  const one = zerosF32(1, 1);
  const evidence = {
    outcomes: [{ c: matrix(1, 1, Float32Array.of(1 + 2 ** -8)) }],
    gemm: plainGemm({ m: 1, k: 1, n: 1 }),
    machine: { precision: precisions.find(precision) },
    operands: { a: one, b: one, family: { exactness: 'none' } },
    reference: { checked: 1, value: Float64Array.of(1) },
    errors: { exact: { bits, disagreements: 0 } },
  };
  return recognise(evidence as unknown as Evidence, Uint8Array.of(1));
}

test.each([
  ['f32', 'less precision than f32 (tf32 and f16 keep 11, bf16 8)'],
  ['f64', 'less precision than f64 (f32 keeps 24, tf32 and f16 keep 11, bf16 8)'],
  ['f32x2', 'less precision than f32x2 (f32 keeps 24, tf32 and f16 keep 11, bf16 8)'],
] as const)('too few bits of %s are told from the formats that keep so many', (precision, says) => {
  expect(said(precision, 11.3)).toBe(`the product shows 11.3 significant bits: products or sums of ${says}`);
});

test('the bits that a format keeps are never too few of it', () => {
  for (const precision of ['f16', 'f16-f32', 'tf32-f32', 'bf16-f32'] as const) {
    for (const bits of [6, 8, 11]) expect(said(precision, bits)).toBeUndefined();
  }
  expect(said('f32', 22)).toBeUndefined();
  expect(said('f64', 24)).toBeDefined();
  expect(said('f64', 50)).toBeUndefined();
});
