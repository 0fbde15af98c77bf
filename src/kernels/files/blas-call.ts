import type { Gemm, MatrixLayout } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import { otherTriangle, structureOf } from '../../matrix/structure.ts';
import type { BlasOperation, BlasSymbol } from './blas-symbol.ts';
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

/** An argument by its role. In Fortran's convention `first` is what BLAS calls A. */
type Role = keyof typeof letters | 'm' | 'n' | 'k' | 'alpha' | 'beta' | 'first' | 'other' | 'c';

/** Arguments of an operation that updates a matrix, and of one with a matrix on a side of another. */
const update: readonly Role[] = ['uplo', 'opFirst', 'n', 'k', 'alpha', 'first', 'beta', 'c'];
const update2: readonly Role[] = ['uplo', 'opFirst', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'];
const beside: readonly Role[] = ['side', 'uplo', 'm', 'n', 'alpha', 'first', 'other', 'beta', 'c'];

/** The arguments of each operation, in their order, as its documents list them. */
const signatures: Readonly<Record<BlasOperation, readonly Role[]>> = {
  gemm: ['opFirst', 'opOther', 'm', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'],
  gemmt: ['uplo', 'opFirst', 'opOther', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'],
  ...{ syrk: update, herk: update, syr2k: update2, her2k: update2, symm: beside, hemm: beside },
  trmm: ['side', 'uplo', 'opFirst', 'diag', 'm', 'n', 'alpha', 'first', 'c'],
};

/** The values of cblas.h, by the letters of Fortran. */
const letters = {
  side: { L: 141, R: 142 },
  uplo: { U: 121, L: 122 },
  opFirst: { N: 111, T: 112, C: 113 },
  opOther: { N: 111, T: 112, C: 113 },
  diag: { N: 131, U: 132 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;
/** CBLAS_LAYOUT of cblas.h. */
const CBLAS = { rows: 101, columns: 102 } as const;

const isLetter = (role: Role): role is keyof typeof letters => role in letters;
const isMatrix = (role: Role) => role === 'first' || role === 'other' || role === 'c';
const isFactor = (role: Role) => role === 'alpha' || role === 'beta';

/** True if a factor has two parts: all of complex operations, except real ones of Hermitian results. */
const isComplexFactor = (role: Role, { operation, precision }: BlasSymbol): boolean =>
  precision.startsWith('c') && operation !== 'herk' && !(operation === 'her2k' && role === 'beta');

/** Calling conventions of BLAS functions. */
export const callings: Readonly<Record<CallingConvention, Calling>> = {
  fortran: {
    // Fortran's compilers pass the lengths of texts behind all other arguments.
    parameters({ operation }) {
      const roles = signatures[operation];
      return [
        ...roles.flatMap((role) => (isMatrix(role) ? ['void *', 'void *'] : ['void *'])),
        ...roles.filter(isLetter).map(() => 'size_t'),
      ];
    },
    arguments(gemm, operands, symbol) {
      const roles = signatures[symbol.operation];
      const of = valuesOf(gemm, operands, symbol, !liesByColumns(gemm.c));
      const whole = (x: number) => (symbol.isLong ? BigInt64Array.of(BigInt(x)) : Int32Array.of(x));
      return [
        ...roles.flatMap((role): unknown[] => {
          if (isLetter(role)) return [Uint8Array.of(of.letter[role].charCodeAt(0))];
          if (isFactor(role)) return [of.factor(role)];
          return isMatrix(role) ? [of.memory(role), whole(of.ld(role))] : [whole(of.size(role))];
        }),
        ...roles.filter(isLetter).map(() => 1),
      ];
    },
  },
  cblas: {
    parameters(symbol) {
      const whole = symbol.isLong ? 'int64_t' : 'int';
      const real = symbol.precision === 'f32' || symbol.precision === 'c32' ? 'float' : 'double';
      return [
        'int',
        ...signatures[symbol.operation].flatMap((role) => {
          if (isMatrix(role)) return ['void *', whole];
          if (isFactor(role)) return [isComplexFactor(role, symbol) ? 'void *' : real];
          return [isLetter(role) ? 'int' : whole];
        }),
      ];
    },
    arguments(gemm, operands, symbol) {
      const of = valuesOf(gemm, operands, symbol, false);
      return [
        liesByColumns(gemm.c) ? CBLAS.columns : CBLAS.rows,
        ...signatures[symbol.operation].flatMap((role): unknown[] => {
          if (isLetter(role)) return [(letters[role] as Record<string, number>)[of.letter[role]]];
          if (isFactor(role)) return [isComplexFactor(role, symbol) ? of.factor(role) : of.factor(role)[0]];
          return isMatrix(role) ? [of.memory(role), of.ld(role)] : [of.size(role)];
        }),
      ];
    },
  },
};

/**
 * Returns the values of arguments.
 * @param isTurned true if a row-major C is computed as its transpose, since Fortran's matrices are column-major: sides, triangles and
 * operands change places, as in Cᵀ = Bᵀ·Aᵀ.
 */
function valuesOf(gemm: Gemm, operands: BlasOperands, symbol: BlasSymbol, isTurned: boolean) {
  const structure = structureOf(gemm);
  const { reads, second } = structure ?? {};
  // An update's own transpose is the other of A·Aᵀ and Aᵀ·A.
  const [no, yes] = isTurned && second !== undefined ? ['T', 'N'] : ['N', 'T'];
  const turn = structure?.isHermitian === true && second !== undefined ? 'C' : 'T';
  const op = (name: 'a' | 'b') => {
    const letter = liesByColumns(gemm[name]) === liesByColumns(gemm.c) ? no : yes;
    return letter === 'T' && (gemm[name].op === 'c' || turn === 'C') ? 'C' : letter;
  };
  const isSwapped = reads === undefined ? isTurned && second !== 'itself' : reads.of === 'b';
  const [first, other] = isSwapped ? (['b', 'a'] as const) : (['a', 'b'] as const);
  const [m, n] = isTurned ? [gemm.n, gemm.m] : [gemm.m, gemm.n];
  const triangle = reads?.triangle ?? structure?.writes ?? 'lower';
  const nameOf = (role: Role) => (role === 'first' ? first : role === 'other' ? other : 'c');
  const numbers = gemm.entries === undefined ? 1 : 2;
  return {
    letter: {
      ...{ opFirst: op(first), opOther: op(other), diag: reads?.isUnit === true ? 'U' : 'N' },
      side: (reads?.of === 'a') === !isTurned ? 'L' : 'R',
      uplo: (isTurned ? otherTriangle(triangle) : triangle) === 'lower' ? 'L' : 'U',
    } as Readonly<Record<keyof typeof letters, string>>,
    size: (role: Role) => ({ m, n, k: gemm.k })[role as 'm' | 'n' | 'k'],
    factor(role: Role) {
      const name = role as 'alpha' | 'beta';
      const parts = [gemm[name], ...(isComplexFactor(role, symbol) ? [gemm.imaginary?.[name] ?? 0] : [])];
      return /32/.test(symbol.precision) ? Float32Array.from(parts) : Float64Array.from(parts);
    },
    memory: (role: Role) => operands[nameOf(role)].subarray(numbers * gemm[nameOf(role)].offset),
    ld: (role: Role) => gemm[nameOf(role)].ld,
  };
}

/** True if the columns of a matrix after op are contiguous lines; with a leading dimension of 1 steps do not tell. */
const liesByColumns = ({ op, order }: MatrixLayout): boolean => (op !== 'n') === (order === 'row');
