import type { CallingConvention } from './file-origin.ts';

/** The operations of BLAS that are judged. */
export type BlasOperation = 'gemm' | 'gemm_batch' | StructuredOperation;
export type StructuredOperation = 'gemmt' | 'syrk' | 'herk' | 'syr2k' | 'her2k' | 'symm' | 'hemm' | 'trmm';

/** True if an operation multiplies general matrices. */
export const isGeneral = (operation: BlasOperation): operation is 'gemm' | 'gemm_batch' =>
  operation === 'gemm' || operation === 'gemm_batch';

/** Facts that the name of a BLAS function tells. */
export interface BlasSymbol {
  readonly operation: BlasOperation;
  readonly precision: 'f32' | 'f64' | 'c32' | 'c64';
  readonly convention: CallingConvention;
  /** True if its whole numbers have 64 bits (ILP64), as a suffix of 64 says. */
  readonly isLong: boolean;
}

const NAME =
  /(?<interface>cblas_|bli_)?(?<![a-z])(?<kind>[sdcz])(?<operation>gemmt|gemm_batch|gemm|syrk|herk|syr2k|her2k|symm|hemm|trmm)r?(?<long>_?64)?_*$/i;

const interfaces: Readonly<Record<string, CallingConvention>> = {
  ...{ '': 'fortran', cblas_: 'cblas', bli_: 'blis' },
};
const precisions = { s: 'f32', d: 'f64', c: 'c32', z: 'c64' } as const;

/**
 * Parses names such as `sgemm_`, `dgemm_64_`, `zherk_`, `cblas_sgemm_batch`, `bli_dgemm` and `scipy_cblas_dgemm64_`; undefined for other
 * names. GEMM has no complex names here: its matrices may lie in two orders, and BLAS cannot conjugate without a transpose.
 */
export function blasSymbol(symbol: string): BlasSymbol | undefined {
  const found = NAME.exec(symbol)?.groups;
  if (found === undefined) return undefined;
  const operation = found.operation.toLowerCase() as BlasOperation;
  const precision = precisions[found.kind.toLowerCase() as keyof typeof precisions];
  const isComplex = precision.startsWith('c');
  if (isComplex ? isGeneral(operation) : operation.startsWith('he')) return undefined;
  const convention = interfaces[found.interface?.toLowerCase() ?? ''];
  if (convention === 'blis' && operation !== 'gemm') return undefined;
  return {
    ...{ operation, precision, convention },
    isLong: found.long !== undefined,
  };
}
