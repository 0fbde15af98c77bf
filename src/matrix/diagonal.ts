import type { Matrix, Real } from './dense.ts';

/**
 * How operands are scaled by diagonal matrices before they are multiplied (Ballard, Benson, Druinsky, Lipshitz, Schwartz 2016):
 * `outside` rows of A and columns of B, each to a largest entry in [1, 2), which the product is scaled back by; `inside` columns of A and,
 * the other way, rows of B, so that the largest of each pair are alike; steps one after the other; twice outside and inside.
 */
export const diagonals = {
  outside: ['outside'],
  inside: ['inside'],
  'outside-inside': ['outside', 'inside'],
  'inside-outside': ['inside', 'outside'],
  'repeated-outside-inside': ['outside', 'inside', 'outside', 'inside'],
} as const;
export type Diagonal = keyof typeof diagonals;

/** A and B with powers of two at their rows and columns. */
export interface ScaledPair {
  readonly a: Matrix;
  readonly b: Matrix;
  /** Exponents of two that each row of the product is to be multiplied by, and each column. */
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** No power of two is larger or smaller: products of three are doubles. */
const MOST = 300;

/**
 * A and B scaled by powers of two, which loses nothing: where an entry would leave its format, neither matrix is scaled.
 * @param round to the format of the entries of A, and of B.
 */
export function scaledPair(
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  how: Diagonal,
  round: { readonly a: (x: number) => number; readonly b: (x: number) => number },
): ScaledPair {
  const [left, right, inner] = [a.rows, b.cols, a.cols].map((length) => new Int32Array(length));
  for (const step of diagonals[how]) {
    // The largest entries of rows and columns as the steps so far have made them, as exponents of two.
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

/** A product of scaled operands, scaled back. Results that are subnormal may lose bits. */
export function scaledBack<T extends Matrix>(
  product: T,
  { rows, cols }: Pick<ScaledPair, 'rows' | 'cols'>,
): T {
  const data = product.data.map((x, e) => {
    const exponent = rows[Math.floor(e / product.cols)] + cols[e % product.cols];
    return exponent === 0 ? x : x * 2 ** exponent;
  });
  return { ...product, data };
}

/** Rows without an entry other than 0, or with one that is not finite, stay as they are. */
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

/** @returns undefined where an entry is not the same number in other units any more. */
function scaledBy(
  { rows, cols, data }: Matrix,
  exponent: (i: number, j: number) => number,
  round: (x: number) => number,
): Matrix | undefined {
  const scaled: Real = data.slice();
  for (let e = 0; e < data.length; e++) {
    const power = exponent(Math.floor(e / cols), e % cols);
    const value = data[e] * 2 ** power;
    if (round(value) !== value || value * 2 ** -power !== data[e]) return undefined;
    scaled[e] = value;
  }
  return { rows, cols, data: scaled };
}
