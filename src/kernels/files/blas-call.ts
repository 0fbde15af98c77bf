import { lookUp } from '../../base/objects.ts';
import { type Gemm, type MatrixLayout, stepsOf } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import { otherTriangle, structureOf } from '../../matrix/structure.ts';
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
export type Role = keyof typeof letters | 'm' | 'n' | 'k' | 'alpha' | 'beta' | 'first' | 'other' | 'c';

/** Arguments of a general product, of an operation that updates a matrix, and of one with a matrix on a side of another. */
const general: readonly Role[] = [
  ...(['opFirst', 'opOther', 'm', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'] as const),
];
const update: readonly Role[] = ['uplo', 'opFirst', 'n', 'k', 'alpha', 'first', 'beta', 'c'];
const update2: readonly Role[] = ['uplo', 'opFirst', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'];
const beside: readonly Role[] = ['side', 'uplo', 'm', 'n', 'alpha', 'first', 'other', 'beta', 'c'];

/** The arguments of each operation, in their order, as its documents list them. */
export const signatures: Readonly<Record<BlasOperation, readonly Role[]>> = {
  gemm: general,
  gemm_batch: general,
  gemmt: ['uplo', 'opFirst', 'opOther', 'n', 'k', 'alpha', 'first', 'other', 'beta', 'c'],
  ...{ syrk: update, herk: update, syr2k: update2, her2k: update2, symm: beside, hemm: beside },
  trmm: ['side', 'uplo', 'opFirst', 'diag', 'm', 'n', 'alpha', 'first', 'c'],
};

/** The values of cblas.h, by the letters of Fortran. */
export const letters = {
  side: { L: 141, R: 142 },
  uplo: { U: 121, L: 122 },
  opFirst: { N: 111, T: 112, C: 113 },
  opOther: { N: 111, T: 112, C: 113 },
  diag: { N: 131, U: 132 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;
/** CBLAS_LAYOUT of cblas.h. */
export const CBLAS = { rows: 101, columns: 102 } as const;

export const isLetter = (role: Role): role is keyof typeof letters => role in letters;
export const isMatrix = (role: Role) => role === 'first' || role === 'other' || role === 'c';
export const isFactor = (role: Role) => role === 'alpha' || role === 'beta';

/** True if a factor has two parts: all of complex operations, except real ones of Hermitian results. */
const isComplexFactor = (role: Role, { operation, precision }: BlasSymbol): boolean =>
  precision.startsWith('c') && operation !== 'herk' && !(operation === 'her2k' && role === 'beta');

/** BLIS_NO_TRANSPOSE and BLIS_TRANSPOSE of blis.h. */
const TRANS = { N: 0, T: 8 } as const;

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
  // The typed interface of BLIS: both strides of each matrix, in whole numbers of 64 bits as it is built by default.
  blis: {
    parameters: () => [
      ...['int', 'int', 'int64_t', 'int64_t', 'int64_t', 'void *'],
      ...['void *', 'int64_t', 'int64_t', 'void *', 'int64_t', 'int64_t'],
      ...['void *', 'void *', 'int64_t', 'int64_t'],
    ],
    arguments(gemm, operands, symbol) {
      const of = valuesOf(gemm, operands, symbol, false);
      const matrix = (role: Role) => {
        const { row, col } = stepsOf({ ...gemm[of.nameOf(role)], op: 'n' });
        return [of.memory(role), row, col];
      };
      return [
        ...[gemm.a, gemm.b].map(({ op }) => (op === 'n' ? TRANS.N : TRANS.T)),
        ...[gemm.m, gemm.n, gemm.k, of.factor('alpha'), ...matrix('first'), ...matrix('other')],
        ...[of.factor('beta'), ...matrix('c')],
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
          if (isLetter(role)) return [lookUp<number>(letters[role], of.letter[role])];
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
export function valuesOf(gemm: Gemm, operands: BlasOperands, symbol: BlasSymbol, isTurned: boolean) {
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
  const nameOf = (role: Role): 'a' | 'b' | 'c' => (role === 'first' ? first : role === 'other' ? other : 'c');
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
    nameOf,
    memory: (role: Role) => operands[nameOf(role)].subarray(numbers * gemm[nameOf(role)].offset),
    ld: (role: Role) => gemm[nameOf(role)].ld,
  };
}

/** True if the columns of a matrix after op are contiguous lines; with a leading dimension of 1 steps do not tell. */
export const liesByColumns = ({ op, order }: MatrixLayout): boolean => (op !== 'n') === (order === 'row');

/** The operations of BLAS that are judged. */
type BlasOperation = 'gemm' | 'gemm_batch' | StructuredOperation;
export type StructuredOperation = 'gemmt' | 'syrk' | 'herk' | 'syr2k' | 'her2k' | 'symm' | 'hemm' | 'trmm';

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
  const convention = lookUp(interfaces, found.interface?.toLowerCase() ?? '') as CallingConvention;
  if (convention === 'blis' && operation !== 'gemm') return undefined;
  return {
    ...{ operation, precision, convention },
    isLong: found.long !== undefined,
  };
}
