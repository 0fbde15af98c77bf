import type { Gemm, MatrixLayout } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { BlasSymbol } from './blas-symbol.ts';
import type { CallingConvention } from './file-origin.ts';

/** A, B and C as they lie in memory. */
export interface BlasOperands {
  readonly a: Entries;
  readonly b: Entries;
  /** The memory of C, which becomes that of D. */
  readonly c: Entries;
}

/** The arguments of a BLAS function by a convention. */
interface Calling {
  /** Types of its arguments, in koffi's notation. */
  parameters(symbol: BlasSymbol): readonly string[];
  /** Its arguments for a product. */
  arguments(gemm: Gemm, operands: BlasOperands, symbol: BlasSymbol): unknown[];
}

/** Calling conventions of BLAS functions. */
export const callings: Readonly<Record<CallingConvention, Calling>> = {
  fortran: {
    // Fortran's compilers pass the lengths of texts behind all other arguments.
    parameters: () => [...Array(13).fill('void *'), 'size_t', 'size_t'],
    arguments(gemm, operands, { isLong, precision }) {
      const whole = (x: number) => (isLong ? BigInt64Array.of(BigInt(x)) : Int32Array.of(x));
      const real = (x: number) => (precision === 'f32' ? Float32Array.of(x) : Float64Array.of(x));
      const { m, n, first, second } = byColumns(gemm);
      const op = (name: 'a' | 'b') => letter(liesByColumns(gemm[name]) === liesByColumns(gemm.c) ? 'N' : 'T');
      const matrix = (name: 'a' | 'b' | 'c') => [entriesIn(gemm[name], operands[name]), whole(gemm[name].ld)];
      return [
        ...[op(first), op(second), whole(m), whole(n), whole(gemm.k), real(gemm.alpha)],
        ...[...matrix(first), ...matrix(second), real(gemm.beta), ...matrix('c'), 1, 1],
      ];
    },
  },
  cblas: {
    parameters({ isLong, precision }) {
      const whole = isLong ? 'int64_t' : 'int';
      const real = precision === 'f32' ? 'float' : 'double';
      const matrix = ['void *', whole];
      return [
        ...['int', 'int', 'int', whole, whole, whole, real],
        ...[...matrix, ...matrix, real, ...matrix],
      ];
    },
    arguments(gemm, operands) {
      const { m, n, k, alpha, beta } = gemm;
      const op = (name: 'a' | 'b') =>
        liesByColumns(gemm[name]) === liesByColumns(gemm.c) ? CBLAS.noTranspose : CBLAS.transpose;
      const matrix = (name: 'a' | 'b' | 'c') => [entriesIn(gemm[name], operands[name]), gemm[name].ld];
      return [
        ...[liesByColumns(gemm.c) ? CBLAS.columns : CBLAS.rows, op('a'), op('b'), m, n, k, alpha],
        ...[...matrix('a'), ...matrix('b'), beta, ...matrix('c')],
      ];
    },
  },
};

/** CBLAS_LAYOUT and CBLAS_TRANSPOSE of cblas.h. */
const CBLAS = { rows: 101, columns: 102, noTranspose: 111, transpose: 112 } as const;

/** Returns the product by columns. Fortran's matrices are column-major, so a row-major C is computed as its transpose, Cᵀ = Bᵀ·Aᵀ. */
function byColumns(gemm: Gemm) {
  const { m, n, c } = gemm;
  return liesByColumns(c)
    ? ({ m, n, first: 'a', second: 'b' } as const)
    : ({ m: n, n: m, first: 'b', second: 'a' } as const);
}

/** True if the columns of a matrix after op are contiguous lines; with a leading dimension of 1 steps do not tell. */
const liesByColumns = ({ op, order }: MatrixLayout): boolean => (op === 't') === (order === 'row');

const letter = (text: string) => Uint8Array.of(text.charCodeAt(0));

const entriesIn = ({ offset }: MatrixLayout, entries: Entries) => entries.subarray(offset);
