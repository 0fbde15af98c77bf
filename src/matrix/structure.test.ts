import { expect, test } from 'vitest';
import { whyNotAccepted } from './features.ts';
import { describeGemm, extentsOf, isPlain, plainGemm } from './gemm.ts';
import { readStructures, structures } from './structure.ts';

test('structures are named by patterns, with | between them', () => {
  expect(readStructures('syrk-*')).toEqual(['syrk-lower', 'syrk-upper']);
  expect(readStructures('general | *-unit')).toHaveLength(5);
  expect(readStructures('syrk')).toBe(undefined);
  expect(readStructures('syrk-lower|none')).toBe(undefined);
  expect(readStructures(undefined)).toEqual(['general']);
});

test('every operation has both triangles', () => {
  for (const { name } of structures.items)
    expect(structures.names).toContain(
      name.replace(/lower|upper/, (one) => (one === 'lower' ? 'upper' : 'lower')),
    );
});

test('a product of a structure is not plain, and its B has the shape that BLAS gives it', () => {
  const shape = { m: 3, k: 2, n: 3 };
  expect(extentsOf({ ...shape, structure: 'syrk-lower' }).b).toEqual({ rows: 0, cols: 0 });
  expect(extentsOf({ ...shape, structure: 'syr2k-lower' }).b).toEqual({ rows: 3, cols: 2 });
  expect(extentsOf({ ...shape, structure: 'gemmt-lower' }).b).toEqual({ rows: 2, cols: 3 });
  const gemm = { ...plainGemm(shape), structure: 'gemmt-lower' };
  expect(isPlain(gemm)).toBe(false);
  expect(describeGemm(gemm)).toBe('3×2×3, gemmt-lower');
});

test('what a kernel does not accept is said', () => {
  const gemm = plainGemm({ m: 3, k: 3, n: 3 });
  expect(whyNotAccepted({ structure: 'symm-*' }, gemm)).toBe(
    'it does not accept general products (accepts.structure is symm-*)',
  );
  expect(whyNotAccepted({}, { ...gemm, structure: 'syrk-lower' })).toBe(
    'it does not accept syrk-lower (accepts.structure is general)',
  );
  expect(whyNotAccepted({ structure: 'general|symm-*' }, { ...gemm, structure: 'symm-left-upper' })).toBe(
    undefined,
  );
});
