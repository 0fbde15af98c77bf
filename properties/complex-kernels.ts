import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import type { ComplexEntries, Gemm, MatrixLayout } from '../src/matrix/gemm.ts';
import type { Entries } from '../src/matrix/operands.ts';

/** A complex number. */
type Complex = readonly [re: number, im: number];

/** Differences of a kernel from a correct one. */
export interface Change {
  /** Changes alpha and beta before they are used. */
  readonly factors?: (alpha: Complex, beta: Complex) => readonly [Complex, Complex];
  /** True if alpha multiplies entries of op(A), and not sums. */
  readonly alphaFirst?: boolean;
  /** Reads an entry of op(A) or op(B). */
  readonly read?: (x: Complex, of: 'a' | 'b', laid: MatrixLayout) => Complex;
  /** Adds the products of a line of op(A) and a column of op(B). */
  readonly dot?: (x: readonly Complex[], y: readonly Complex[], round: (x: number) => number) => Complex;
  /** Changes an entry of D before it is written at (i, j); undefined leaves it unwritten. */
  readonly write?: (
    x: Complex,
    at: { i: number; j: number },
    gemm: Gemm,
    before: Complex,
  ) => Complex | undefined;
}

const placeOf = ({ op, order, ld, offset, stride }: MatrixLayout, p: number, i: number, j: number) =>
  offset + p * stride + ((op !== 'n') === (order === 'row') ? j * ld + i : i * ld + j);

/** Computes each part as a sum of 2k rounded products, one after the other. */
function inFour(x: readonly Complex[], y: readonly Complex[], round: (x: number) => number): Complex {
  let [re, im] = [0, 0];
  for (let q = 0; q < x.length; q++) {
    const [[ar, ai], [br, bi]] = [x[q], y[q]];
    re = round(round(re + round(ar * br)) - round(ai * bi));
    im = round(round(im + round(ar * bi)) + round(ai * br));
  }
  return [re, im];
}

/** Computes three sums of k rounded products, of parts and of their sums. */
export function inThree(x: readonly Complex[], y: readonly Complex[], round: (x: number) => number): Complex {
  let [first, second, third] = [0, 0, 0];
  for (let q = 0; q < x.length; q++) {
    const [[ar, ai], [br, bi]] = [x[q], y[q]];
    first = round(first + round(ar * br));
    second = round(second + round(ai * bi));
    third = round(third + round(round(ar + ai) * round(br + bi)));
  }
  return [round(first - second), round(round(third - first) - second)];
}

const conjugated = ([re, im]: Complex): Complex => [re, -im];
const isZero = ([re, im]: Complex) => re === 0 && im === 0;

/** Multiplies a number by a factor. A real factor multiplies part by part. */
function times([re, im]: Complex, [x, y]: Complex, round: (x: number) => number): Complex {
  if (im === 0) return re === 0 ? [0, 0] : [round(re * x), round(re * y)];
  return [round(round(re * x) - round(im * y)), round(round(re * y) + round(im * x))];
}

/** Computes D = alpha·op(A)·op(B) + beta·C of complex entries. */
export function complexProduct(
  entries: ComplexEntries,
  change: Change = {},
): FunctionKernel<Float32Array>['multiply'] & FunctionKernel<Float64Array>['multiply'] {
  const multiply = (a: Entries, b: Entries, gemm: Gemm, c: Entries, d: Entries): Entries => {
    const { m, k, n, batch, imaginary = { alpha: 0, beta: 0 } } = gemm;
    const { dot = inFour, write = (x) => x, factors = (...both) => both, alphaFirst = false } = change;
    const [alpha, beta] = factors([gemm.alpha, imaginary.alpha], [gemm.beta, imaginary.beta]);
    const round = d instanceof Float32Array ? Math.fround : (x: number) => x;
    const places = (x: Entries, e: number): Complex =>
      entries === 'planar' ? [e, e + x.length / 2] : [2 * e, 2 * e + 1];
    const at = (x: Entries, e: number): Complex => {
      const [re, im] = places(x, e);
      return [x[re], x[im]];
    };
    const read = (x: Entries, of: 'a' | 'b', e: number): Complex => {
      const found = at(x, e);
      if (change.read !== undefined) return change.read(found, of, gemm[of]);
      return gemm[of].op === 'c' ? conjugated(found) : found;
    };
    for (let p = 0; p < batch; p++) {
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          const steps = Array.from({ length: isZero(alpha) ? 0 : k }, (_, q) => q);
          const product = dot(
            steps.map((q) => {
              const x = read(a, 'a', placeOf(gemm.a, p, i, q));
              return alphaFirst ? times(alpha, x, round) : x;
            }),
            steps.map((q) => read(b, 'b', placeOf(gemm.b, p, q, j))),
            round,
          );
          const before: Complex = isZero(beta) ? [0, 0] : at(c, placeOf(gemm.c, p, i, j));
          const scaled = alphaFirst ? product : times(alpha, product, round);
          const added = times(beta, before, round);
          const sum: Complex = [round(scaled[0] + added[0]), round(scaled[1] + added[1])];
          const made = write(sum, { i, j }, gemm, before);
          if (made === undefined) continue;
          const [x, y] = places(d, placeOf(gemm.d, p, i, j));
          [d[x], d[y]] = made;
        }
      }
    }
    return d;
  };
  return multiply as ReturnType<typeof complexProduct>;
}

/** Restores an infinity where both parts are NaN and an operand has one, as C's Annex G.5.1 does. */
export function recovered(
  x: readonly Complex[],
  y: readonly Complex[],
  round: (x: number) => number,
): Complex {
  const found = inFour(x, y, round);
  const isInfinite = [...x, ...y].some((one) =>
    one.some((part) => Math.abs(part) === Number.POSITIVE_INFINITY),
  );
  return found.every(Number.isNaN) && isInfinite ? [Number.POSITIVE_INFINITY, Number.NaN] : found;
}

const usual = (x: Complex, { op }: MatrixLayout): Complex => (op === 'c' ? conjugated(x) : x);
const tail = ({ i, j }: { i: number; j: number }, { m, n }: Gemm) => i === m - 1 && j === n - 1;

/** Mistakes of complex kernels, by name. */
export const complexFaults: Readonly<Record<string, Change>> = {
  'c-taken-as-t': { read: (x) => x },
  'a-not-conjugated': { read: (x, of, laid) => (of === 'a' ? x : usual(x, laid)) },
  'b-not-conjugated': { read: (x, of, laid) => (of === 'b' ? x : usual(x, laid)) },
  't-taken-as-c': { read: (x, _, laid) => (laid.op === 'n' ? x : conjugated(x)) },
  'b-conjugated-instead-of-a': {
    read: (x, of, laid) => (of === 'a' ? x : laid.op === 'c' ? x : conjugated(x)),
  },
  'imaginary-products-added': {
    dot: (x, y, round) => {
      const [re, im] = inFour(x.map(conjugated), y, round);
      const [, right] = inFour(x, y, round);
      return [re, im === 0 ? im : right];
    },
  },
  'one-cross-term': {
    dot: (x, y, round) =>
      inFour(
        x,
        y.map(([re, im], q) => (q === 0 ? [re, 0] : [re, im])),
        round,
      ),
  },
  'parts-swapped': { write: ([re, im]) => [im, re] },
  'parts-swapped-last': { write: (x, at, gemm) => (tail(at, gemm) ? [x[1], x[0]] : x) },
  'd-conjugated': { write: conjugated },
  'imaginary-zero': { write: ([re]) => [re, 0] },
  'c-conjugated': {
    write: ([re, im], _, { beta }, before) =>
      [re, im - 2 * beta * before[1]].map(Math.fround) as [number, number],
  },
  'c-imaginary-lost': { write: ([re, im], _, { beta }, before) => [re, Math.fround(im - beta * before[1])] },
  'nan-lost': { write: (x) => x.map((part) => (Number.isNaN(part) ? 0 : part)) as [number, number] },
  'nan-in-imaginary-lost': { write: ([re, im]) => [re, Number.isFinite(im) ? im : 1] },
  'last-left': { write: (x, at, gemm) => (tail(at, gemm) ? undefined : x) },
  '3m': { dot: inThree },
  '3m-without-second': {
    dot: (x, y, round) => {
      const [re, im] = inThree(x, y, round);
      return [
        re,
        round(
          im +
            inFour(
              x.map(([, i]) => [i, 0]),
              y.map(([, i]) => [i, 0]),
              round,
            )[0],
        ),
      ];
    },
  },
};

const realPart = ([re]: Complex): Complex => [re, 0];

/** Mistakes in alpha and beta with imaginary parts, by name. */
export const factorFaults: Readonly<Record<string, Change>> = {
  'alpha-conjugated': { factors: (alpha, beta) => [conjugated(alpha), beta] },
  'beta-conjugated': { factors: (alpha, beta) => [alpha, conjugated(beta)] },
  'alpha-imaginary-lost': { factors: (alpha, beta) => [realPart(alpha), beta] },
  'beta-imaginary-lost': { factors: (alpha, beta) => [alpha, realPart(beta)] },
  'factors-exchanged': { factors: (alpha, beta) => [beta, alpha] },
  'alpha-first-to-conjugate': {
    alphaFirst: true,
    factors: (alpha, beta) => [conjugated(alpha), beta],
  },
};
