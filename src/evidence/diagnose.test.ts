import { expect, test } from 'vitest';
import { precisions } from '../precision/precisions.ts';
import { fewBits } from './diagnose.ts';
import type { Evidence } from './evidence.ts';

/** Returns the message about a product of random data with `bits` significant bits. */
function said(precision: string, bits: number, mean = 0.1, shape = {}): string | undefined {
  const evidence = {
    machine: { precision: precisions.find(precision) },
    errors: { exact: { bits, disagreements: 0, max: 1, mean } },
    gemm: { ...{ m: 4, k: 9, n: 4, batch: 1 }, ...shape },
  };
  return fewBits(evidence as unknown as Evidence);
}

test.each([
  ['f32', 'less precise than f32: 11.3 of 24 bits are right (tf32 and f16 give 11, bf16 gives 8)'],
  [
    'f64',
    'less precise than f64: 11.3 of 53 bits are right (f32 gives 24, tf32 and f16 give 11, bf16 gives 8)',
  ],
  [
    'f32x2',
    'less precise than f32x2: 11.3 of 48 bits are right (f32 gives 24, tf32 and f16 give 11, bf16 gives 8)',
  ],
] as const)('too few bits of %s are told from the formats that keep so many', (precision, says) => {
  expect(said(precision, 11.3)).toBe(`likely mistake: some operation is ${says}`);
});

test('a few wrong entries among many good ones are no narrow sums', () => {
  expect(said('f32', 11.3, 1 / 65)).toBeUndefined();
  expect(said('f32', 11.3, 1 / 63)).toBeDefined();
});

test('the bits that a format keeps are never too few of it', () => {
  for (const precision of ['f16', 'f16-f32', 'tf32-f32', 'bf16-f32'] as const) {
    for (const bits of [6, 8, 11]) expect(said(precision, bits)).toBeUndefined();
  }
  expect(said('f32', 22)).toBeUndefined();
  expect(said('f64', 24)).toBeDefined();
  expect(said('f64', 50)).toBeUndefined();
});

test('few entries of sums may as well lack terms', () => {
  expect(said('f32', 11.3, 1, { m: 1, n: 15 })).toBeUndefined();
  expect(said('f32', 11.3, 1, { m: 1, n: 16 })).toBeDefined();
  expect(said('f32', 11.3, 1, { m: 1, n: 1, k: 1 })).toBeDefined();
});
