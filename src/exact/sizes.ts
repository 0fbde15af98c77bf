import { type Matrix, productShape, type RealArray, requireMatrix } from '../matrix/dense.ts';

/** Inner indices processed at once, so that a row of the sum is loaded and stored once for all of them. */
const STEP = 4;

/** The columns of a panel: with B's rows this wide, a block of them stays in the second-level cache. */
const PANEL = 512;

/** The inner indices of a block, a multiple of {@link STEP}. */
const BLOCK = 64;

/**
 * Computes |A|·|B| for A m×k and B k×n: m·n doubles, row-major, none below the true value. Sums of k products in binary64 are too small
 * by at most a factor 1 − γ_k (Higham, ASNA, §3.1), so each is raised by 1 + (k + 2)·2^-52; a zero stays zero. This holds if no product
 * of two entries underflows in binary64, as with any binary32 entries. If A or B has NaN or infinities, the entry is NaN or infinite.
 * @throws ParanoiaError `shapes-differ` unless A's columns are B's rows.
 */
export function absoluteProduct(a: Matrix, b: Matrix): Float64Array {
  const { m, k, n } = productShape(a, b);
  const sums = new Float64Array(m * n);
  const absA = magnitudes(a.data);
  const absB = magnitudes(b.data);
  for (let panel = 0; panel < n; panel += PANEL) {
    const width = Math.min(PANEL, n - panel);
    for (let block = 0; block < k; block += BLOCK) {
      const end = Math.min(k, block + BLOCK);
      for (let i = 0; i < m; i++) {
        const row = sums.subarray(i * n + panel, i * n + panel + width);
        let t = block;
        for (; t + STEP <= end; t += STEP) addFour(row, absA, i * k + t, absB, t * n + panel, n);
        for (; t < end; t++) addOne(row, absA[i * k + t], absB, t * n + panel);
      }
    }
  }
  const raise = 1 + (k + 2) * 2 ** -52;
  for (let at = 0; at < sums.length; at++) sums[at] *= raise;
  return sums;
}

/** Returns the magnitude of each entry. */
export function magnitudes(data: RealArray): Float64Array {
  const size = new Float64Array(data.length);
  for (let at = 0; at < data.length; at++) size[at] = Math.abs(data[at]);
  return size;
}

/** Computes row[j] += Σ a[atA + s]·b[atB + s·stride + j] over s = 0 … 3. */
function addFour(
  row: Float64Array,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  stride: number,
): void {
  const [a0, a1, a2, a3] = [a[atA], a[atA + 1], a[atA + 2], a[atA + 3]];
  const [b1, b2, b3] = [atB + stride, atB + 2 * stride, atB + 3 * stride];
  for (let j = 0; j < row.length; j++) {
    row[j] += a0 * b[atB + j] + a1 * b[b1 + j] + a2 * b[b2 + j] + a3 * b[b3 + j];
  }
}

/** Computes row[j] += a·b[atB + j]. */
function addOne(row: Float64Array, a: number, b: Float64Array, atB: number): void {
  for (let j = 0; j < row.length; j++) row[j] += a * b[atB + j];
}

/** The norms of an operand by which the normwise measures divide. */
export interface OperandSize {
  /** max |x_ij|, 0 for an empty matrix; NaN if an entry is. */
  readonly maxAbs: number;
  /** √Σ x_ij²: the Frobenius norm. */
  readonly frobenius: number;
}

/** Measures an operand. Squares are summed in double: entries beyond 2^±500 would overflow or vanish. */
export function operandSize(x: Matrix): OperandSize {
  requireMatrix(x, 'The operand');
  let maxAbs = 0;
  let squares = 0;
  for (let at = 0; at < x.data.length; at++) {
    const size = Math.abs(x.data[at]);
    if (!(size <= maxAbs)) maxAbs = Math.max(maxAbs, size);
    squares += size * size;
  }
  return { maxAbs, frobenius: Math.sqrt(squares) };
}

/** Returns the largest of nonnegative numbers; 0 if there are none. */
export function largestOf(values: Float64Array): number {
  let most = 0;
  for (let e = 0; e < values.length; e++) most = Math.max(most, values[e]);
  return most;
}
