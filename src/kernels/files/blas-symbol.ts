import type { CallingConvention } from './file-origin.ts';

/** Facts that the name of a BLAS function tells. */
export interface BlasSymbol {
  readonly precision: 'f32' | 'f64';
  readonly convention: CallingConvention;
  /** True if its whole numbers have 64 bits (ILP64), as a suffix of 64 says. */
  readonly isLong: boolean;
}

const NAME = /(?<cblas>cblas_)?(?<![a-z])(?<kind>[sd])gemm(?<long>_?64)?_*$/i;

/** Parses names such as `sgemm_`, `dgemm_64_`, `cblas_sgemm` and `scipy_cblas_dgemm64_`; undefined for other names. */
export function blasSymbol(symbol: string): BlasSymbol | undefined {
  const found = NAME.exec(symbol)?.groups;
  if (found === undefined) return undefined;
  return {
    precision: found.kind.toLowerCase() === 's' ? 'f32' : 'f64',
    convention: found.cblas === undefined ? 'fortran' : 'cblas',
    isLong: found.long !== undefined,
  };
}
