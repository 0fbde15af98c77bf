import { type Kernel, type ProductInput, sessionOf } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';

/** Computes a square product, n×n by n×n, row-major. */
type Multiply = (a: Float64Array, b: Float64Array, n: number) => Float64Array;
type Round = (x: number) => number;

/** A kernel in binary64 whose every rounding is known, with its claims. */
export interface GradedKernel {
  readonly name: string;
  readonly multiply: Multiply;
  /** Levels of recursion that it has, and claims. */
  readonly levels: number;
  /** The claimed rounding. @defaultValue to nearest */
  readonly rounding?: 'toward-zero';
}

const double: Round = (x) => x;

/** Adds from the first term to the last, with every product and sum rounded. */
const classical =
  (round: Round = double): Multiply =>
  (a, b, n) => {
    const c = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let p = 0; p < n; p++) {
        const x = a[i * n + p];
        for (let j = 0; j < n; j++) c[i * n + j] = round(c[i * n + j] + round(x * b[p * n + j]));
      }
    }
    return c;
  };

/** Truncates sums toward zero. */
const cutOff: Multiply = (a, b, n) => {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let p = 0; p < n; p++) {
      for (let j = 0; j < n; j++) {
        const [at, term] = [i * n + j, a[i * n + p] * b[p * n + j]];
        const sum = c[at] + term;
        // The rounding error of the sum (Knuth's two-sum).
        const added = sum - c[at];
        const lost = c[at] - (sum - added) + (term - added);
        c[at] = sum * lost < 0 ? sum * (1 - 2 ** -53) : sum;
      }
    }
  }
  return c;
};

/** Adds errors that grow as n², and stay below the bound of grade A until n = 512. */
const growing: Multiply = (a, b, n) => classical()(a, b, n).map((x) => x * (1 + 2 ** -62 * n * n));

/** Computes Kahan's compensated sums (1965). */
const compensated: Multiply = (a, b, n) => {
  const [c, lost] = [new Float64Array(n * n), new Float64Array(n * n)];
  for (let i = 0; i < n; i++) {
    for (let p = 0; p < n; p++) {
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        const term = a[i * n + p] * b[p * n + j] - lost[at];
        const sum = c[at] + term;
        lost[at] = sum - c[at] - term;
        c[at] = sum;
      }
    }
  }
  return c;
};

const combined = (x: Float64Array, sign: 1 | -1, y: Float64Array) => x.map((value, e) => value + sign * y[e]);
const part = (x: Float64Array, n: number, row: number, col: number) => {
  const half = n / 2;
  return Float64Array.from(
    { length: half * half },
    (_, e) => x[(row * half + Math.floor(e / half)) * n + col * half + (e % half)],
  );
};
const joined = (parts: readonly Float64Array[], n: number) => {
  const half = n / 2;
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    return parts[2 * Number(i >= half) + Number(j >= half)][(i % half) * half + (j % half)];
  });
};
const quarters = (x: Float64Array, n: number) =>
  [part(x, n, 0, 0), part(x, n, 0, 1), part(x, n, 1, 0), part(x, n, 1, 1)] as const;

/** Multiplies by Strassen's method (1969). */
const strassen =
  (levels: number, leaf: Multiply = classical()): Multiply =>
  (a, b, n) => {
    if (levels === 0) return leaf(a, b, n);
    const times = (x: Float64Array, y: Float64Array) => strassen(levels - 1, leaf)(x, y, n / 2);
    const [a11, a12, a21, a22] = quarters(a, n);
    const [b11, b12, b21, b22] = quarters(b, n);
    const one = times(combined(a11, 1, a22), combined(b11, 1, b22));
    const two = times(combined(a21, 1, a22), b11);
    const three = times(a11, combined(b12, -1, b22));
    const four = times(a22, combined(b21, -1, b11));
    const five = times(combined(a11, 1, a12), b22);
    const six = times(combined(a21, -1, a11), combined(b11, 1, b12));
    const seven = times(combined(a12, -1, a22), combined(b21, 1, b22));
    return joined(
      [
        combined(combined(combined(one, 1, four), -1, five), 1, seven),
        combined(three, 1, five),
        combined(two, 1, four),
        combined(combined(combined(one, -1, two), 1, three), 1, six),
      ],
      n,
    );
  };

/** Multiplies by Winograd's variant of Strassen's method, with 15 sums of blocks (1971). */
const winograd: Multiply = (a, b, n) => {
  const times = (x: Float64Array, y: Float64Array) => classical()(x, y, n / 2);
  const [a11, a12, a21, a22] = quarters(a, n);
  const [b11, b12, b21, b22] = quarters(b, n);
  const s1 = combined(a21, 1, a22);
  const s2 = combined(s1, -1, a11);
  const t1 = combined(b12, -1, b11);
  const t2 = combined(b22, -1, t1);
  const p1 = times(a11, b11);
  const u2 = combined(p1, 1, times(s2, t2));
  const u3 = combined(u2, 1, times(combined(a11, -1, a21), combined(b22, -1, b12)));
  const p5 = times(s1, t1);
  return joined(
    [
      combined(p1, 1, times(a12, b21)),
      combined(combined(u2, 1, p5), 1, times(combined(a12, -1, s2), b22)),
      combined(u3, -1, times(a22, combined(t2, -1, b21))),
      combined(u3, 1, p5),
    ],
    n,
  );
};

/** Computes Winograd's inner products (1968). Like the 3M method of complex products, they multiply sums of entries. */
const paired: Multiply = (a, b, n) =>
  Float64Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    let [sum, row, col] = [0, 0, 0];
    for (let p = 0; p < n; p += 2) {
      const [x0, x1, y0, y1] = [a[i * n + p], a[i * n + p + 1], b[p * n + j], b[(p + 1) * n + j]];
      sum += (x0 + y1) * (x1 + y0);
      row += x0 * x1;
      col += y0 * y1;
    }
    return sum - row - col;
  });

/** Rounds a number to units of 2^unit. */
function inUnits(x: number, unit: number): number {
  if (x === 0 || Math.floor(Math.log2(Math.abs(x))) - unit >= 53) return x;
  return Math.round(x / 2 ** unit) * 2 ** unit;
}

/** Keeps so many bits of entries below the largest exponent of their line, and sums in binary64. */
const fixedPoint =
  (bits: number, by: 'outer' | 'inner' | 'matrix', inner: Multiply = classical()): Multiply =>
  (a, b, n) => {
    const quantized = (x: Float64Array, lineOf: (e: number) => number) => {
      const tops = new Array<number>(n).fill(Number.NEGATIVE_INFINITY);
      x.forEach((value, e) => {
        tops[lineOf(e)] = Math.max(
          tops[lineOf(e)],
          value === 0 ? -1074 : Math.floor(Math.log2(Math.abs(value))),
        );
      });
      return x.map((value, e) => inUnits(value, Math.max(-1074, tops[lineOf(e)] + 1 - bits)));
    };
    const [row, col, one] = [(e: number) => Math.floor(e / n), (e: number) => e % n, () => 0];
    const lines = { outer: [row, col], inner: [col, row], matrix: [one, one] }[by];
    return inner(quantized(a, lines[0]), quantized(b, lines[1]), n);
  };

/** Rounds operands to fewer bits. */
const rounded = (bits: number): Multiply => {
  const round = (x: number) => inUnits(x, x === 0 ? 0 : Math.floor(Math.log2(Math.abs(x))) + 1 - bits);
  return (a, b, n) => classical()(a.map(round), b.map(round), n);
};

/** Kernels on both sides of the thresholds: of the bound, of the exponents, of the zeros, and of the growth. */
export const gradedKernels: readonly GradedKernel[] = [
  { name: 'classical', levels: 0, multiply: classical() },
  { name: 'Kahan’s compensated sums', levels: 0, multiply: compensated },
  { name: 'sums cut off, claimed to be rounded', levels: 0, multiply: cutOff },
  { name: 'sums cut off, as claimed', levels: 0, multiply: cutOff, rounding: 'toward-zero' },
  { name: 'errors that grow as n²', levels: 0, multiply: growing },
  { name: 'operands of 52 bits', levels: 0, multiply: rounded(52) },
  { name: 'operands of 48 bits', levels: 0, multiply: rounded(48) },
  { name: 'operands of 42 bits', levels: 0, multiply: rounded(42) },
  { name: 'f32, claimed as f64', levels: 0, multiply: (a, b, n) => classical(Math.fround)(a, b, n) },
  { name: 'fixed point, 53 bits a row', levels: 0, multiply: fixedPoint(53, 'outer') },
  { name: 'fixed point, 64 bits a row', levels: 0, multiply: fixedPoint(64, 'outer') },
  { name: 'fixed point, 100 bits a row', levels: 0, multiply: fixedPoint(100, 'outer') },
  { name: 'fixed point, 200 bits a row', levels: 0, multiply: fixedPoint(200, 'outer') },
  { name: 'fixed point, 1045 bits a row', levels: 0, multiply: fixedPoint(1045, 'outer') },
  { name: 'fixed point, 1065 bits a row', levels: 0, multiply: fixedPoint(1065, 'outer') },
  { name: 'fixed point, 100 bits an inner index', levels: 0, multiply: fixedPoint(100, 'inner') },
  { name: 'fixed point, 53 bits a matrix', levels: 0, multiply: fixedPoint(53, 'matrix') },
  { name: 'Strassen, 1 level', levels: 1, multiply: strassen(1) },
  { name: 'Strassen, 2 levels', levels: 2, multiply: strassen(2) },
  { name: 'Strassen, 3 levels', levels: 3, multiply: strassen(3) },
  { name: 'Winograd, 1 level', levels: 1, multiply: winograd },
  {
    name: 'Strassen in fixed point, 32 bits a matrix',
    levels: 1,
    multiply: fixedPoint(32, 'matrix', strassen(1)),
  },
  { name: 'Winograd’s inner products', levels: 0, multiply: paired },
  { name: 'zeros', levels: 0, multiply: (_a, _b, n) => new Float64Array(n * n) },
  {
    name: 'one NaN',
    levels: 0,
    multiply: (a, b, n) => classical()(a, b, n).fill(Number.NaN, 5, 6),
  },
];

/** Converts one of these to a kernel that claims f64. */
export function asKernel({ name, multiply, levels, rounding }: GradedKernel): Kernel {
  const { precision, arithmetic } = applyClaims(precisions.find('f64'));
  const computation = {
    precision,
    arithmetic: { ...arithmetic, rounding: rounding ?? ('nearest' as const) },
  };
  const algorithm = levels === 0 ? 'classical' : 'strassen';
  const own = ({ operands: { a, b } }: ProductInput): Matrix =>
    matrix(a.rows, b.cols, multiply(Float64Array.from(a.data), Float64Array.from(b.data), a.rows));
  const { plan, growth } = modelKernel(algorithm, computation);
  return { name, algorithm, growth, leaf: '', ...computation, plan, session: sessionOf(own) };
}
