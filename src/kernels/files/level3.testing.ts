import type { StructuredOperation } from './blas-call.ts';

/** Mistakes of libraries of BLAS. */
export const level3Faults = [
  ...['other-triangle-written', 'beta-on-all', 'unit-diagonal-read', 'other-triangle-read', 'not-mirrored'],
  ...['diagonal-not-real', 'addend-not-real', 'not-overwritten', 'diagonal-blocks', 'alpha-twice'],
  ...['one-product', 'alpha-not-conjugated', 'not-conjugated', 'last-column', 'side', 'wrong-triangle'],
] as const;
export type Level3Fault = (typeof level3Faults)[number];

type Complex = readonly [re: number, im: number];
type Entry = (i: number, j: number) => Complex;
type Numbers = ArrayLike<number>;

const ZERO: Complex = [0, 0];
const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const conj = ([a, b]: Complex): Complex => [a, -b];

/** The arguments of a level-3 function, as the documents of BLAS name them. */
export interface Level3Call {
  readonly side: string;
  readonly uplo: string;
  readonly transa: string;
  readonly transb: string;
  readonly diag: string;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly alpha: Complex;
  readonly beta: Complex;
  readonly a: Numbers;
  readonly lda: number;
  readonly b: Numbers;
  readonly ldb: number;
  readonly c: number[];
  readonly ldc: number;
}

/** Size of the diagonal blocks that a faulty update computes alone. */
const BLOCK = 4;

/** Computes a level-3 function of column-major matrices from its definition, or with a mistake. */
export function level3(
  operation: StructuredOperation,
  wide: 1 | 2,
  call: Level3Call,
  fault?: Level3Fault,
): void {
  const { m, n, k, beta, c, ldc } = call;
  const isHermitian = operation.startsWith('he');
  const alpha = fault === 'alpha-twice' ? times(call.alpha, call.alpha) : call.alpha;
  const isLower = (call.uplo === 'L') !== (fault === 'wrong-triangle');
  const stored =
    (of: Numbers, ld: number): Entry =>
    (i, j) => [of[wide * (i + j * ld)], wide === 2 ? of[wide * (i + j * ld) + 1] : 0];
  const turned = (x: Entry): Entry =>
    isHermitian && fault !== 'not-conjugated' ? (i, j) => conj(x(j, i)) : (i, j) => x(j, i);
  const withOp = (x: Entry, trans: string): Entry =>
    trans === 'N' ? x : trans === 'T' ? (i, j) => x(j, i) : (i, j) => conj(x(j, i));
  const isIn = (i: number, j: number) => (isLower ? i >= j : i <= j);
  const mirrored =
    (x: Entry): Entry =>
    (i, j) => {
      if (i === j) return isHermitian ? [x(i, i)[0], 0] : x(i, i);
      if (isIn(i, j) || fault === 'other-triangle-read') return x(i, j);
      return fault === 'not-mirrored' ? ZERO : turned(x)(i, j);
    };
  const triangular =
    (x: Entry): Entry =>
    (i, j) => {
      if (i === j && call.diag === 'U' && fault !== 'unit-diagonal-read') return [1, 0];
      return isIn(i, j) || fault === 'other-triangle-read' ? x(i, j) : ZERO;
    };
  const product =
    (x: Entry, y: Entry, length: number): Entry =>
    (i, j) => {
      let sum = ZERO;
      for (let q = 0; q < length; q++) sum = plus(sum, times(x(i, q), y(q, j)));
      return sum;
    };
  const scaled =
    (by: Complex, x: Entry): Entry =>
    (i, j) =>
      times(by, x(i, j));
  const [a, b] = [stored(call.a, call.lda), stored(call.b, call.ldb)];
  const [x, y] = [withOp(a, call.transa), withOp(b, call.transa)];
  const isLeft = (call.side === 'L') !== (fault === 'side' && m === n);
  const beside = (s: Entry, dense: Entry) => (isLeft ? product(s, dense, m) : product(dense, s, n));
  const before = c.slice();
  const overwritten = stored(before, ldc);
  const conjugated = isHermitian && fault !== 'alpha-not-conjugated' ? conj(alpha) : alpha;
  const sums: Readonly<Record<typeof operation, () => Entry>> = {
    gemmt: () => scaled(alpha, product(x, withOp(b, call.transb), k)),
    syrk: () => scaled(alpha, product(x, turned(x), k)),
    herk: () => scaled(alpha, product(x, turned(x), k)),
    syr2k: () => twice(),
    her2k: () => twice(),
    symm: () => scaled(alpha, beside(mirrored(a), b)),
    hemm: () => scaled(alpha, beside(mirrored(a), b)),
    trmm: () => scaled(alpha, beside(withOp(triangular(a), call.transa), overwritten)),
  };
  const twice = (): Entry => {
    const [one, other] = [
      scaled(alpha, product(x, turned(y), k)),
      scaled(conjugated, product(y, turned(x), k)),
    ];
    return fault === 'one-product' ? one : (i, j) => plus(one(i, j), other(i, j));
  };
  const isUpdate = /k$|^gemmt$/.test(operation);
  const isReal = isHermitian && isUpdate;
  const isNothing = alpha.every((part) => part === 0) || (isUpdate && k === 0);
  const isScaled = beta[0] !== 0 || beta[1] !== 0;
  if (operation !== 'trmm' && isNothing && beta[0] === 1 && beta[1] === 0) return;
  if (operation === 'trmm' && fault === 'not-overwritten') return;
  const sum = sums[operation]();
  const all = fault === 'other-triangle-written' || fault === 'beta-on-all';
  for (let j = 0; j < n; j++) {
    if (fault === 'last-column' && j === n - 1 && n > 1) continue;
    for (let i = 0; i < (isUpdate ? n : m); i++) {
      const isWritten = !isUpdate || isIn(i, j);
      if (!isWritten && !all) continue;
      const old: Complex =
        isReal && i === j && fault !== 'addend-not-real' ? [overwritten(i, i)[0], 0] : overwritten(i, j);
      const added = isScaled && operation !== 'trmm' ? times(beta, old) : ZERO;
      const isLeftOut =
        (fault === 'diagonal-blocks' && isUpdate && Math.floor(i / BLOCK) !== Math.floor(j / BLOCK)) ||
        (!isWritten && fault === 'beta-on-all');
      if (!isWritten && fault === 'beta-on-all' && !isScaled) continue;
      const [re, im] = plus(isNothing || isLeftOut ? ZERO : sum(i, j), added);
      c[wide * (i + j * ldc)] = re;
      if (wide === 1) continue;
      const isCut = isReal && i === j && fault !== 'diagonal-not-real' && fault !== 'addend-not-real';
      c[wide * (i + j * ldc) + 1] = isCut
        ? 0
        : fault === 'diagonal-not-real' && i === j
          ? im + re * 2 ** -24
          : im;
    }
  }
}
