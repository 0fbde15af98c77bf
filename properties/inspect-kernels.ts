import { type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { roundingTo } from '../src/base/rounding.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { type Kernel, type ProductInput, sessionOf } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { type Matrix, matrix, type Shape } from '../src/matrix/dense.ts';
import { bf16, type Format, f32 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { structures } from './sum-structures.ts';

/** The rounding steps of a kernel, in the precision f32 by default. */
export interface Making {
  readonly precision?: string;
  readonly claims?: Claims;
  /** Rounds an entry of A or B before it is multiplied. */
  readonly operand?: (x: number) => number;
  /** Computes a product as it is added. */
  readonly product?: (x: number, y: number) => number;
  /** Adds the terms of an entry of C. */
  readonly sum?: (terms: Float64Array, shape: Shape) => number;
  /** Computes the whole product, instead of these steps. */
  readonly multiply?: (a: Matrix, b: Matrix) => Matrix;
  readonly refuses?: (shape: Shape) => string | undefined;
}

const single = Math.fround;

/** Makes a kernel on the CPU whose every rounding is known. It accepts small products only, so that inspecting it is quick. */
export function made(name: string, making: Making): Kernel {
  const {
    precision = 'f32',
    claims = {},
    refuses = small,
    multiply = (a, b) => byEntry(a, b, making),
  } = making;
  const computation = applyClaims(precisions.find(precision));
  const { plan, growth } = modelKernel('classical', computation);
  return {
    name,
    algorithm: 'classical',
    growth,
    claims,
    leaf: '',
    ...computation,
    plan,
    refuses,
    session: sessionOf(({ operands: { a, b } }: ProductInput) => multiply(a, b)),
  };
}

const small = ({ m, k, n }: Shape) =>
  Math.max(m, n) > 16 || k > 64 ? 'it takes at most 16 rows and columns and 64 terms' : undefined;

function byEntry(a: Matrix, b: Matrix, making: Making): Matrix {
  const { operand = (x) => x, product = (x, y) => single(x * y), sum = sequential } = making;
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const { m, k, n } = shape;
  const [x, y] = [a.data.map(operand), b.data.map(operand)];
  const data = new Float32Array(m * n);
  // Inspections need thousands of products: a column of B is copied once, and all terms share one array.
  const [column, terms] = [new Float64Array(k), new Float64Array(k)];
  for (let j = 0; j < n; j++) {
    for (let p = 0; p < k; p++) column[p] = y[p * n + j];
    for (let i = 0; i < m; i++) {
      for (let p = 0; p < k; p++) terms[p] = product(x[i * k + p], column[p]);
      data[i * n + j] = sum(terms, shape);
    }
  }
  return matrix(m, n, data);
}

/** Truncates after so many significant bits. */
export const cutOff = (bits: number) => {
  const nearest = roundingTo(bits, -126, f32.maxFinite);
  return (x: number): number => {
    const rounded = nearest(x);
    if (Math.abs(rounded) <= Math.abs(x)) return rounded;
    return rounded - Math.sign(x) * 2 ** (Math.ceil(Math.log2(Math.abs(rounded))) - bits);
  };
};

const { sequential, atOnce, towardZero } = sumsIn(f32);

/** Sums in binary32, unless their names say otherwise. */
export const sums = {
  ...structures,
  '4 at once': atOnce(4, 24, single),
  'cut off': towardZero,
} as const satisfies Record<string, SumFunction>;

/** Splits each entry into two parts of bf16, and adds three of their four products in binary32. */
export function inTwoParts(a: Matrix, b: Matrix): Matrix {
  const parts = (x: Matrix) => {
    const high = x.data.map(bf16.round);
    return [high, x.data.map((value, at) => bf16.round(value - high[at]))];
  };
  const [[ah, al], [bh, bl]] = [parts(a), parts(b)];
  const { rows: m, cols: k } = a;
  const n = b.cols;
  return matrix(
    m,
    n,
    Float32Array.from({ length: m * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      const terms = Array.from({ length: k }, (_, p) => [i * k + p, p * n + j]).flatMap(([x, y]) => [
        al[x] * bh[y],
        ah[x] * bl[y],
        ah[x] * bh[y],
      ]);
      return sequential(Float64Array.from(terms));
    }),
  );
}

/**
 * Splits each entry into some parts of a format. Of their products it adds those of the first parts in binary32, each kind separately, the
 * smallest first.
 */
export function inParts(format: Format, count: number, most: number) {
  const partsOf = ({ data }: Matrix) => {
    let rest: Float64Array = Float64Array.from(data);
    return Array.from({ length: count }, () => {
      const part = rest.map(format.round);
      rest = rest.map((x, at) => x - part[at]);
      return part;
    });
  };
  const places = Array.from({ length: count }, (_, at) => at);
  const kinds = places
    .flatMap((x) => places.map((y) => [x, y] as const))
    .filter(([x, y]) => x + y <= most)
    .sort((one, other) => other[0] + other[1] - one[0] - one[1]);
  return (a: Matrix, b: Matrix): Matrix => {
    const [as, bs] = [partsOf(a), partsOf(b)];
    const { rows: m, cols: k } = a;
    const n = b.cols;
    const sumOf = (x: Float64Array, y: Float64Array, i: number, j: number) => {
      let sum = 0;
      for (let p = 0; p < k; p++) sum = single(sum + x[i * k + p] * y[p * n + j]);
      return sum;
    };
    const data = Float32Array.from({ length: m * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      return kinds.reduce((total, [x, y]) => single(total + sumOf(as[x], bs[y], i, j)), 0);
    });
    return matrix(m, n, data);
  };
}

/** Multiplies whole numbers of 30 bits, with an exponent for each row of A and column of B, or one for each matrix. */
export function inFixedPoint(each: 'line' | 'matrix') {
  return (a: Matrix, b: Matrix): Matrix => {
    const { rows: m, cols: k } = a;
    const n = b.cols;
    const top = (values: readonly number[]) =>
      2 ** (Math.floor(Math.log2(Math.max(2 ** -140, ...values.map((x) => Math.abs(x))))) - 29);
    const [row, col] = [
      (i: number) => [...a.data.subarray(i * k, (i + 1) * k)],
      (j: number) => Array.from({ length: k }, (_, p) => b.data[p * n + j]),
    ];
    const whole = { a: top([...a.data]), b: top([...b.data]) };
    const units = {
      a: Array.from({ length: m }, (_, i) => (each === 'line' ? top(row(i)) : whole.a)),
      b: Array.from({ length: n }, (_, j) => (each === 'line' ? top(col(j)) : whole.b)),
    };
    const lines = {
      a: units.a.map((unit, i) => row(i).map((x) => BigInt(Math.round(x / unit) || 0))),
      b: units.b.map((unit, j) => col(j).map((x) => BigInt(Math.round(x / unit) || 0))),
    };
    const data = Float32Array.from({ length: m * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      const sum = lines.a[i].reduce((total, x, p) => total + x * lines.b[j][p], 0n);
      return Number(sum) * units.a[i] * units.b[j];
    });
    return matrix(m, n, data);
  };
}

/** Multiplies by Strassen's method with the halves of the rows of A, and of C, exchanged: no table contains it. */
export function strassenUpsideDown(a: Matrix, b: Matrix): Matrix {
  return swapHalves(strassenFrom(2)(swapHalves(a), b));
}

function swapHalves({ rows, cols, data }: Matrix): Matrix {
  const half = (rows >> 1) * cols;
  const swapped = new Float32Array(data.length);
  swapped.set(data.subarray(half), 0);
  swapped.set(data.subarray(0, half), data.length - half);
  return matrix(rows, cols, swapped);
}

/** Multiplies by Strassen with one level where all sizes are even and at least so large; `round` rounds sums of blocks of A and B. */
export function strassenFrom(size: number, round: (x: number) => number = single) {
  return (a: Matrix, b: Matrix): Matrix => {
    const [m, k, n] = [a.rows, a.cols, b.cols];
    if (Math.min(m, k, n) < size || (m % 2) + (k % 2) + (n % 2) > 0) return byEntry(a, b, {});
    const [mh, kh, nh] = [m / 2, k / 2, n / 2];
    const block = (x: Matrix, i: number, j: number, rows: number, cols: number): Matrix =>
      matrix(
        rows,
        cols,
        Float32Array.from({ length: rows * cols }, (_, e) => {
          const [r, c] = [Math.floor(e / cols), e % cols];
          return x.data[(i * rows + r) * x.cols + j * cols + c];
        }),
      );
    const A = (i: number, j: number) => block(a, i, j, mh, kh);
    const B = (i: number, j: number) => block(b, i, j, kh, nh);
    const add = (x: Matrix, y: Matrix, sign = 1): Matrix =>
      matrix(
        x.rows,
        x.cols,
        new Float32Array(x.data).map((v, at) => v + sign * y.data[at]),
      );
    const factor = (x: Matrix, y: Matrix, sign = 1): Matrix => {
      const sum = add(x, y, sign);
      return { ...sum, data: sum.data.map(round) };
    };
    const times = (x: Matrix, y: Matrix) => byEntry(x, y, {});
    const m1 = times(factor(A(0, 0), A(1, 1)), factor(B(0, 0), B(1, 1)));
    const m2 = times(factor(A(1, 0), A(1, 1)), B(0, 0));
    const m3 = times(A(0, 0), factor(B(0, 1), B(1, 1), -1));
    const m4 = times(A(1, 1), factor(B(1, 0), B(0, 0), -1));
    const m5 = times(factor(A(0, 0), A(0, 1)), B(1, 1));
    const m6 = times(factor(A(1, 0), A(0, 0), -1), factor(B(0, 0), B(0, 1)));
    const m7 = times(factor(A(0, 1), A(1, 1), -1), factor(B(1, 0), B(1, 1)));
    const quadrants = [
      [add(add(m1, m4), add(m7, m5, -1)), add(m3, m5)],
      [add(m2, m4), add(add(m1, m2, -1), add(m3, m6))],
    ];
    return matrix(
      m,
      n,
      Float32Array.from({ length: m * n }, (_, e) => {
        const [i, j] = [Math.floor(e / n), e % n];
        return quadrants[Number(i >= mh)][Number(j >= nh)].data[(i % mh) * nh + (j % nh)];
      }),
    );
  };
}
