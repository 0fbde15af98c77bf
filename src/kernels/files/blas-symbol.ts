import type { Convention } from './file-origin.ts';

/** What the name of a function of BLAS tells. */
export interface BlasSymbol {
  readonly precision: 'f32' | 'f64';
  readonly convention: Convention;
  /** Whether its whole numbers are of 64 bits (ILP64), as a suffix of 64 says. */
  readonly isLong: boolean;
}

const NAME = /(?<cblas>cblas_)?(?<![a-z])(?<kind>[sd])gemm(?<long>_?64)?_*$/i;

/** Reads names such as `sgemm_`, `dgemm_64_`, `cblas_sgemm` and `scipy_cblas_dgemm64_`; what they do not tell is undefined. */
export function blasSymbol(symbol: string): BlasSymbol | undefined {
  const found = NAME.exec(symbol)?.groups;
  if (found === undefined) return undefined;
  return {
    precision: found.kind.toLowerCase() === 's' ? 'f32' : 'f64',
    convention: found.cblas === undefined ? 'fortran' : 'cblas',
    isLong: found.long !== undefined,
  };
}
