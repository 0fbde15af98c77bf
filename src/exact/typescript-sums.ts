import { makeNumbers } from '../base/numbers.ts';
import { anchorWriter } from './anchors.ts';
import { roundDigitSums, unitExponentOf } from './digits.ts';
import { pairsFor, sumExactProducts, sumSplitProducts, upperHalf } from './double-double.ts';
import { type ExactOperands, productsAreExact } from './operands.ts';
import type { BlockSummer } from './sums.ts';

/** The doubles of B in a block of columns (256 KiB), which a group of rows reads from cache. */
const BLOCK = 2 ** 15;
/** The rows that pass over a block of columns before the next block. */
const ROW_GROUP = 128;

/** Sums in double-double in plain TypeScript, for runtimes without WebAssembly SIMD. */
export function typescriptSums(operands: ExactOperands): BlockSummer {
  const { shape, a, b } = operands;
  const { k, n } = shape;
  const cols = Math.min(Math.max(2, 2 * Math.floor(BLOCK / 2 / Math.max(k, 1))), Math.max(n, 1));
  const rows = Math.min(ROW_GROUP, Math.max(shape.m, 1));
  const isExact = productsAreExact(operands);
  const row = new Float64Array(k);
  const rowUpper = new Float64Array(isExact ? 0 : k);
  const columns = new Float64Array(cols * k);
  const columnsUpper = new Float64Array(isExact ? 0 : cols * k);
  const pairs = pairsFor(cols);
  const stride = cols;
  const hi = new Float64Array(rows * stride);
  const lo = new Float64Array(rows * stride);
  const magnitude = new Float64Array(rows * stride);
  const writeAnchors = isExact ? anchorWriter(operands, { rows, cols }) : undefined;

  return {
    rows,
    cols,
    sum(block) {
      const { i0, i1, j0, j1 } = block;
      const count = j1 - j0;
      writeAnchors?.(block, stride, magnitude);
      for (let t = 0; t < k; t++) {
        for (let j = 0; j < count; j++) columns[j * k + t] = b[t * n + j0 + j];
      }
      if (!isExact) fillUpper(columns, columnsUpper);
      for (let i = i0; i < i1; i++) {
        const at = (i - i0) * stride;
        row.set(a.subarray(i * k, (i + 1) * k));
        if (isExact) {
          pairs.magnitude.set(magnitude.subarray(at, at + count));
          sumExactProducts(row, 0, columns, k, 0, count, pairs);
        } else {
          fillUpper(row, rowUpper);
          sumSplitProducts(row, 0, rowUpper, columns, columnsUpper, k, 0, count, pairs);
        }
        for (let j = 0; j < count; j++) {
          hi[at + j] = pairs.hi[j];
          lo[at + j] = pairs.lo[j];
          magnitude[at + j] = pairs.magnitude[j];
        }
      }
      return { stride, hi, lo, magnitude, window: undefined };
    },
  };
}

/** Fills the upper halves of the entries of a line. */
function fillUpper(line: Float64Array, upper: Float64Array): void {
  for (let t = 0; t < line.length; t++) upper[t] = upperHalf(line[t]);
}

/** The width of digits: three of them hold entries of 56 bits; see {@link LONGEST}. */
const WIDTH = 19;
const BASE = 2 ** WIDTH;
const ROUND = 1.5 * 2 ** 52;

/** The doubles of a digit of B in a block of columns (64 KiB), which a group of rows reads from cache. */
const DIGIT_BLOCK = 2 ** 13;
/** Sums by digits in plain TypeScript, which multiplies digits as doubles. */
export function typescriptDigitSums(operands: ExactOperands): BlockSummer {
  const { shape, a, b } = operands;
  const { m, k, n } = shape;
  const cols = Math.min(Math.max(1, Math.floor(DIGIT_BLOCK / k)), Math.max(n, 1));
  const rows = Math.min(ROW_GROUP, Math.max(m, 1));
  const three = (length: number) => Array.from({ length: 3 }, () => new Float64Array(length));
  const row = three(k);
  const columns = three(cols * k);
  const weights = Array.from({ length: 5 }, () => new Float64Array(rows * cols));

  return {
    rows,
    cols,
    sum({ i0, i1, j0, j1 }) {
      for (let j = j0; j < j1; j++) {
        const factor = 2 ** -unitExponentOf(operands.cols, j);
        for (let t = 0; t < k; t++) cut(b[t * n + j] * factor, columns, (j - j0) * k + t);
      }
      for (let i = i0; i < i1; i++) {
        const factor = 2 ** -unitExponentOf(operands.rows, i);
        for (let t = 0; t < k; t++) cut(a[i * k + t] * factor, row, t);
        for (let j = 0; j < j1 - j0; j++) sumColumn(row, columns, j * k, k, weights, (i - i0) * cols + j);
      }
      const units = makeNumbers(j1 - j0, (c) => 2 ** unitExponentOf(operands.cols, j0 + c));
      return {
        write(i, value, low, at) {
          const run = { from: (i - i0) * cols, count: j1 - j0 };
          const row = 2 ** unitExponentOf(operands.rows, i);
          roundDigitSums({ width: WIDTH, weights }, run, { row, columns: units }, value, low, at);
          return true;
        },
      };
    },
  };
}

/** Cuts a whole number into its three digits, from the lowest. */
function cut(x: number, digits: readonly Float64Array[], at: number): void {
  const upper = x / BASE + ROUND - ROUND;
  const highest = upper / BASE + ROUND - ROUND;
  digits[0][at] = x - upper * BASE;
  digits[1][at] = upper - highest * BASE;
  digits[2][at] = highest;
}

function sumColumn(
  [a0, a1, a2]: readonly Float64Array[],
  [b0, b1, b2]: readonly Float64Array[],
  bi: number,
  k: number,
  weights: readonly Float64Array[],
  at: number,
): void {
  let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
  for (let t = 0; t < k; t++) {
    const [x0, x1, x2] = [a0[t], a1[t], a2[t]];
    const [y0, y1, y2] = [b0[bi + t], b1[bi + t], b2[bi + t]];
    s0 += x0 * y0;
    s1 += x0 * y1 + x1 * y0;
    s2 += x0 * y2 + x1 * y1 + x2 * y0;
    s3 += x1 * y2 + x2 * y1;
    s4 += x2 * y2;
  }
  weights[0][at] = s0;
  weights[1][at] = s1;
  weights[2][at] = s2;
  weights[3][at] = s3;
  weights[4][at] = s4;
}
