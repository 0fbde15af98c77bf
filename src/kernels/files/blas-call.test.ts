import { expect, test } from 'vitest';
import { blasSymbol } from './blas-call.ts';

test.each([
  ['sgemm_', 'f32', 'fortran', false],
  ['dgemm', 'f64', 'fortran', false],
  ['DGEMM', 'f64', 'fortran', false],
  ['sgemm_64_', 'f32', 'fortran', true],
  ['dgemm64_', 'f64', 'fortran', true],
  ['cblas_sgemm', 'f32', 'cblas', false],
  ['cblas_dgemm64_', 'f64', 'cblas', true],
  ['scipy_cblas_sgemm64_', 'f32', 'cblas', true],
  ['scipy_dgemm_64_', 'f64', 'fortran', true],
  ['bli_dgemm', 'f64', 'blis', false],
])('%s is of %s, %s, with long whole numbers: %s', (name, precision, convention, isLong) => {
  expect(blasSymbol(name)).toEqual({ operation: 'gemm', precision, convention, isLong });
});

test.each([
  ['ssyrk_', 'syrk', 'f32'],
  ['cblas_zher2k', 'her2k', 'c64'],
  ['scipy_ctrmm_64_', 'trmm', 'c32'],
  ['dgemmt_', 'gemmt', 'f64'],
  ['dgemmtr_', 'gemmt', 'f64'],
  ['csymm_', 'symm', 'c32'],
  ['cblas_sgemm_batch', 'gemm_batch', 'f32'],
  ['scipy_cblas_dgemm_batch64_', 'gemm_batch', 'f64'],
  ['dgemm_batch_', 'gemm_batch', 'f64'],
])('%s is %s in %s', (name, operation, precision) => {
  expect(blasSymbol(name)).toMatchObject({ operation, precision });
});

test.each([
  'my_product',
  'zgemm_',
  'sherk_',
  'dtrsm_',
  'cblas_sgemm_batch_strided',
  'zgemm_batch_',
  'bli_ssyrk',
])('%s tells nothing', (name) => {
  expect(blasSymbol(name)).toBe(undefined);
});
