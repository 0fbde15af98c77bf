import { makeNumbers } from '../../base/numbers.ts';
import {
  countDigitTerms,
  type DigitSums,
  type Digits,
  MOST,
  roundDigitSums,
  unitExponentOf,
} from '../digits.ts';
import type { ExactOperands } from '../operands.ts';
import type { BlockSummer, ExactSums, ResultBlock } from '../sums.ts';
import { type CutRows, loadSimd, type SimdKernels } from './memory.ts';

/** Terms t0 ≤ t < t1 of the inner products. */
interface Terms {
  readonly t0: number;
  readonly t1: number;
}

/** Sums blocks by digits, with the kernels in WebAssembly. */
export function simdDigitSums(operands: ExactOperands, digits: Digits): BlockSummer {
  const kernels = loadSimd();
  const { memory } = kernels;
  const { k } = operands.shape;
  const { a, b, width } = digits;
  const weights = Array.from({ length: a.count + b.count - 1 }, (_, d) => {
    const from = (digitLayout.sums + d * PLANE_SUMS) / 8;
    return memory.subarray(from, from + ROWS * COLS);
  });

  const owner = {};

  return {
    rows: ROWS,
    cols: COLS,
    sum(block) {
      const rows = Math.ceil((block.i1 - block.i0) / TILE_ROWS);
      const panels = Math.ceil((block.j1 - block.j0) / TILE_COLS);
      for (const sums of weights) sums.fill(0, 0, rows * TILE_ROWS * COLS);
      for (let t0 = 0; t0 < k; t0 += DEPTH) {
        const terms = { t0, t1: Math.min(t0 + DEPTH, k) };
        const pairs = Math.ceil((terms.t1 - t0) / 2);
        const rowsOfBlock = { owner, i0: block.i0, i1: block.i1, t0 };
        if (!lie(kernels.cutRows, rowsOfBlock)) cutRows(kernels, operands, digits, block, terms);
        kernels.cutRows = rowsOfBlock;
        cutColumns(kernels, operands, digits, block, terms);
        for (let s = 0; s < a.count; s++) {
          for (let t = 0; t < b.count; t++) {
            const most = Math.floor(countDigitTerms(digits, s, t) / 2);
            const [row, panel] = [digitLayout.a + s * PLANE_A, digitLayout.b + t * PLANE_B];
            kernels.digits(rows, panels, pairs, most, row, panel, digitLayout.sums + (s + t) * PLANE_SUMS);
          }
        }
      }
      return { write: writer(kernels, operands, { width, weights }, block) };
    },
  };
}

const lie = (there: CutRows | undefined, wanted: CutRows): boolean =>
  there?.owner === wanted.owner && there.i0 === wanted.i0 && there.i1 === wanted.i1 && there.t0 === wanted.t0;

/** Returns a function that rounds rows of sums. */
function writer(
  { memory, roundRow }: SimdKernels,
  { rows, cols }: ExactOperands,
  sums: DigitSums,
  { i0, j0, j1 }: ResultBlock,
): ExactSums['write'] {
  const count = j1 - j0;
  const columns = memory.subarray(digitLayout.units / 8, digitLayout.units / 8 + count);
  for (let c = 0; c < count; c++) columns[c] = 2 ** unitExponentOf(cols, j0 + c);
  const [roundedValue, roundedLow] = [digitLayout.value, digitLayout.low].map((from) =>
    memory.subarray(from / 8, from / 8 + count),
  );
  const last = sums.weights.length - 1;
  const half = Math.ceil(last / 2);
  const [base, middle, high] = [1, half, last].map((at) => 2 ** (sums.width * at));
  return (i, value, low, at) => {
    const row = 2 ** unitExponentOf(rows, i);
    const from = (i - i0) * COLS;
    const place = digitLayout.sums + 8 * from;
    const isInDoubt = roundRow(Math.ceil(count / 2), place, last, half, base, middle, high, row) !== 0;
    if (isInDoubt) roundDigitSums(sums, { from, count }, { row, columns }, value, low, at);
    else {
      value.set(roundedValue, at);
      low.set(roundedLow, at);
    }
    return isInDoubt;
  };
}

/** Returns the weight by which digit `at` of `count` is cut: that of the next digit; none for the highest. */
function weightAfter(at: number, count: number, width: number): readonly [inverse: number, weight: number] {
  return at === count - 1 ? [0, 0] : [2 ** -width, 2 ** width];
}

const EIGHT = 8;

/** Cuts the rows of a block. A last tile that lacks rows keeps old ones, whose sums are never read. */
function cutRows(
  { memory, cutRow }: SimdKernels,
  { shape: { k }, a, rows }: ExactOperands,
  digits: Digits,
  { i0, i1 }: ResultBlock,
  { t0, t1 }: Terms,
): void {
  const entries = digitLayout.entries / 8;
  const { count } = digits.a;
  for (let i = i0; i < i1; i++) {
    memory.set(a.subarray(i * k + t0, i * k + t1), entries);
    // The last pair lacks a term if the number of terms is odd.
    memory[entries + t1 - t0] = 0;
    for (let s = 0; s < count; s++) {
      const to = digitLayout.a + s * PLANE_A + 2 * DEPTH * (i - i0);
      const factor = s === 0 ? 2 ** -unitExponentOf(rows, i) : 1;
      cutRow(Math.ceil((t1 - t0) / EIGHT), to, factor, ...weightAfter(s, count, digits.width));
    }
  }
}

/** Cuts the columns of a block. The last panel keeps old ones in missing columns. */
function cutColumns(
  { memory, cutPanels }: SimdKernels,
  { shape: { n }, b, cols }: ExactOperands,
  digits: Digits,
  { j0, j1 }: ResultBlock,
  { t0, t1 }: Terms,
): void {
  const entries = digitLayout.entries / 8;
  const { count } = digits.b;
  const width = j1 - j0;
  const panels = Math.ceil(width / TILE_COLS);
  const stride = Math.ceil((t1 - t0) / 2) * 4 * TILE_COLS;
  memory.set(
    makeNumbers(width, (c) => 2 ** -unitExponentOf(cols, j0 + c)),
    digitLayout.factors / 8,
  );
  memory.fill(1, digitLayout.ones / 8, digitLayout.ones / 8 + COLS);
  for (let from = t0; from < t1; from += WAITING) {
    const waiting = Math.min(WAITING, t1 - from);
    for (let t = 0; t < waiting; t++) {
      const at = (from + t) * n + j0;
      const to = entries + t * COLS;
      for (let c = 0; c < width; c++) memory[to + c] = b[at + c];
    }
    if (waiting % 2 === 1) memory.fill(0, entries + waiting * COLS, entries + (waiting + 1) * COLS);
    for (let t = 0; t < count; t++) {
      const to = digitLayout.b + t * PLANE_B + ((from - t0) / 2) * 4 * TILE_COLS;
      const factors = t === 0 ? digitLayout.factors : digitLayout.ones;
      const weight = weightAfter(t, count, digits.width);
      cutPanels(Math.ceil(waiting / 2), panels, to, stride, factors, ...weight);
    }
  }
}

/** The largest block of the result that is summed by digits, and the terms that are cut at a time. */
export const ROWS = 256;
export const COLS = 128;
export const DEPTH = 1024;
/** A tile: rows of A, and columns of B, which are packed in panels of this width. */
export const TILE_ROWS = 4;
export const TILE_COLS = 8;
/** The rows of B that are buffered to be cut at a time. */
const WAITING = 64;

const DIGIT = 2;
const DOUBLE = 8;
const LINE = DOUBLE * COLS;

/** The bytes of one digit of a block's rows, of its columns, and of one of its sums. */
const PLANE_A = DIGIT * ROWS * DEPTH;
const PLANE_B = DIGIT * COLS * DEPTH;
export const PLANE_SUMS = DOUBLE * ROWS * COLS;

const B = MOST * PLANE_A;
const SUMS = B + MOST * PLANE_B;
const ENTRIES = SUMS + (2 * MOST - 1) * PLANE_SUMS;
const FACTORS = ENTRIES + WAITING * LINE;

/**
 * The memory of the kernels that sum by digits, in bytes from its start.
 * A: for each digit, from the lowest, rows of {@link DEPTH} digits of 16 bits. B: for each digit, panels of eight columns, one after
 * another: for each two terms, two digits of each column. Sums: for each weight, from the lowest, {@link ROWS} × {@link COLS} doubles.
 * Entries: doubles that wait to be cut, a row of A, or rows of {@link COLS} entries of B.
 * Then lines of {@link COLS} doubles: the factors of columns before they are cut, ones, their units, and a row of the product and of its
 * remainders.
 */
export const digitLayout = {
  a: 0,
  b: B,
  sums: SUMS,
  entries: ENTRIES,
  factors: FACTORS,
  ones: FACTORS + LINE,
  units: FACTORS + 2 * LINE,
  value: FACTORS + 3 * LINE,
  low: FACTORS + 4 * LINE,
} as const;

/** The bytes of the whole memory. */
export const BYTES = FACTORS + 5 * LINE;
