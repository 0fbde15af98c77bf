import type { Matrix, RealArray } from './dense.ts';

/**
 * The orders of diagonal scaling before a multiplication (Ballard, Benson, Druinsky, Lipshitz, Schwartz 2016).
 * `outside` scales rows of A and columns of B, each to a largest entry in [1, 2); the product is scaled back.
 * `inside` scales columns of A, and rows of B inversely, so that the largest entries of each pair are alike.
 * Other names list their steps in order; `repeated-outside-inside` does outside and inside twice.
 */
export const diagonals = {
  outside: ['outside'],
  inside: ['inside'],
  'outside-inside': ['outside', 'inside'],
  'inside-outside': ['inside', 'outside'],
  'repeated-outside-inside': ['outside', 'inside', 'outside', 'inside'],
} as const;
export type Diagonal = keyof typeof diagonals;

/** A and B, scaled by powers of two. */
export interface ScaledPair {
  readonly a: Matrix;
  readonly b: Matrix;
  /** Exponents of the powers of two that scale rows and columns of the product back. */
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** The largest magnitude of an exponent: products of three such powers of two are doubles. */
const MOST = 300;

/**
 * Scales A and B by powers of two without rounding. Neither matrix is scaled if an entry would leave its format.
 * @param round rounds to the format of the entries of A, and of B.
 */
export function scalePair(
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  how: Diagonal,
  round: { readonly a: (x: number) => number; readonly b: (x: number) => number },
): ScaledPair {
  const [left, right, inner] = [a.rows, b.cols, a.cols].map((length) => new Int32Array(length));
  for (const step of diagonals[how]) {
    // Exponents of two of the largest entries of rows and columns, after the steps so far.
    if (step === 'outside') {
      const most = { a: largestOfRows(a, inner), b: largestOfCols(b, inner, -1) };
      for (let i = 0; i < left.length; i++) left[i] = known(-most.a[i]);
      for (let j = 0; j < right.length; j++) right[j] = known(-most.b[j]);
    } else {
      const most = { a: largestOfCols(a, left, 1), b: largestOfRows(b, right) };
      for (let k = 0; k < inner.length; k++) inner[k] = known(Math.round((most.b[k] - most.a[k]) / 2));
    }
  }
  const scaled = {
    a: scaledBy(a, (i, k) => left[i] + inner[k], round.a),
    b: scaledBy(b, (k, j) => right[j] - inner[k], round.b),
  };
  if (scaled.a === undefined || scaled.b === undefined)
    return { a, b, rows: new Int32Array(a.rows), cols: new Int32Array(b.cols) };
  const back = (exponents: Int32Array) => exponents.map((exponent) => -exponent);
  return { a: scaled.a, b: scaled.b, rows: back(left), cols: back(right) };
}

/** Scales the product of scaled operands back. Subnormal results may lose bits. */
export function scaleBack<T extends Matrix>(
  product: T,
  { rows, cols }: Pick<ScaledPair, 'rows' | 'cols'>,
): T {
  const data = product.data.map((x, e) => {
    const exponent = rows[Math.floor(e / product.cols)] + cols[e % product.cols];
    return exponent === 0 ? x : x * 2 ** exponent;
  });
  return { ...product, data };
}

/** Clamps an exponent to ±MOST. Returns 0 for rows that are all zeros or have an entry that is not finite: they are not scaled. */
const known = (exponent: number): number =>
  Number.isFinite(exponent) ? Math.max(-MOST, Math.min(MOST, exponent)) : 0;

const exponentOf = (x: number): number => (x === 0 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log2(x)));

function largestOfRows({ rows, cols, data }: Matrix, atCols: Int32Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < cols; j++)
      most = Math.max(most, exponentOf(Math.abs(data[i * cols + j])) + atCols[j]);
    return most;
  });
}

function largestOfCols({ rows, cols, data }: Matrix, atRows: Int32Array, sign: 1 | -1): Float64Array {
  return Float64Array.from({ length: cols }, (_, j) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rows; i++)
      most = Math.max(most, exponentOf(Math.abs(data[i * cols + j])) + sign * atRows[i]);
    return most;
  });
}

/**
 * Scales each entry by its power of two.
 * @returns undefined if scaling changes an entry's significand.
 */
function scaledBy(
  { rows, cols, data }: Matrix,
  exponent: (i: number, j: number) => number,
  round: (x: number) => number,
): Matrix | undefined {
  const scaled: RealArray = data.slice();
  for (let e = 0; e < data.length; e++) {
    const power = exponent(Math.floor(e / cols), e % cols);
    const value = data[e] * 2 ** power;
    if (round(value) !== value || value * 2 ** -power !== data[e]) return undefined;
    scaled[e] = value;
  }
  return { rows, cols, data: scaled };
}
