/**
 * The exact product: every entry is the exact inner product of the stored numbers, correctly rounded.
 *
 * Three tiers, each entry decided by the first that can:
 * 1. a double-double sum, where its proved error bound leaves no doubt about the rounding;
 * 2. an expansion, without error, anchored where the exponents allow it, else grown term by term;
 * 3. integers in fixed point, where products or their parts could overflow or underflow a double.
 */

import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Anchors, anchoredDot, anchorsFor } from './anchored.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { type Certificate, emptyTally, type Tally } from './certificate.ts';
import { dotExpansion } from './dot-expansion.ts';
import {
  exactProductsBound,
  MAX_TERMS,
  magnitudeExponent,
  pairsFor,
  roundsAlike,
  splitProductsBound,
  sumExactProducts,
  sumSplitProducts,
  upperHalf,
} from './double-double.ts';
import { roundToPair } from './expansion.ts';
import { LineCache } from './line-cache.ts';
import { type Operands, packOperands } from './operands.ts';
import { nonFiniteDot } from './special.ts';

/** The exact product of A (m×k) and B (k×n), in about 106 bits, with the proof of how it was obtained. */
export interface ExactProduct {
  /**
   * m×n: each entry the exact inner product rounded to binary64, to nearest, ties to even, beyond the largest
   * double to ±Infinity. An exact zero is +0; a nonzero one that rounds to zero keeps its sign. Where an
   * operand is NaN or infinite: the IEEE 754 answer.
   */
  readonly product: Matrix<Float64Array>;
  /**
   * m×n row-major, exact − product: of abs at most half a unit in the last place of the product. Where tier 1
   * decided, off by at most the certificate's `worstAbsolute`; else correctly rounded, so off by at most
   * 2^-53·abs(low), or 2^-1075 where that is larger. 0 where the product is not finite.
   */
  readonly low: Float64Array;
  readonly certificate: Certificate;
}

/** Rows of an exact product: `value` and `low` are those rows of {@link ExactProduct}'s, row-major. */
export interface ExactRows {
  readonly value: Float64Array;
  readonly low: Float64Array;
  readonly stats: Certificate;
}

/** The exact product of A (m×k) and B (k×n), f32 or f64 each. @throws Problem `shapes-differ`, `bad-operand` */
export function exactProduct(a: Matrix, b: Matrix): ExactProduct {
  const { m, n } = productShape(a, b);
  const { value, low, stats } = exactRows(a, b, 0, m);
  return { product: { rows: m, cols: n, data: value }, low, certificate: stats };
}

/**
 * Rows rowBegin ≤ i < rowEnd of the exact product of A (m×k) and B (k×n), f32 or f64 each.
 * @throws Problem `shapes-differ`.
 */
export function exactRows(a: Matrix, b: Matrix, rowBegin: number, rowEnd: number): ExactRows {
  const operands = packOperands(a, b);
  const count = (rowEnd - rowBegin) * b.cols;
  const value = new Float64Array(count);
  const low = new Float64Array(count);
  const stats = rowSolver(operands)(rowBegin, rowEnd, value, low);
  return { value, low, stats };
}

/**
 * Computes rows rowBegin ≤ i < rowEnd of the product into the start of `value` and `low`, row-major, and
 * returns how they were decided.
 */
export type RowSolver = (
  rowBegin: number,
  rowEnd: number,
  value: Float64Array,
  low: Float64Array,
) => Certificate;

/** Doubles of B that a block of columns may hold (256 KiB), to be read from cache by a group of rows. */
const BLOCK = 2 ** 15;
/** Rows that pass over a block of columns before the next block. */
const ROW_GROUP = 16;
/** Integers that the fixed-point tier may remember for each operand. */
const REMEMBERED = 2 ** 20;

/**
 * No product of two entries may reach 2^(1000 − ⌈log2 k⌉), nor its factors 2^990, and every one is a multiple of
 * 2^-900: then no sum, no part of a split product and no error bound of tiers 1 and 2 overflows or underflows.
 */
const HIGHEST_SUM = 1000;
const HIGHEST_FACTOR = 990;
const LOWEST_GRID = -900;

/** Prepares the exact product of packed operands; the solver keeps scratch, so it serves one caller at a time. */
export function rowSolver(operands: Operands): RowSolver {
  const { shape, a, bt, rows, cols } = operands;
  const { k, n } = shape;
  const width = Math.min(Math.max(2, 2 * Math.floor(BLOCK / 2 / Math.max(k, 1))), Math.max(n, 1));
  const pairs = pairsFor(width);
  const productsAreExact = rows.width + cols.width <= 53;
  const aUpper = new Float64Array(productsAreExact ? 0 : k);
  const btUpper = new Float64Array(productsAreExact ? 0 : k * width);
  const boundOf = productsAreExact ? exactProductsBound : splitProductsBound;
  const sumBits = 32 - Math.clz32(k);
  const lines = Math.max(1, Math.floor(REMEMBERED / Math.max(k, 1)));
  const rowIntegers = new LineCache(lines, (i) => toIntegers(a, i * k, k, rows.grid[i]));
  const colIntegers = new LineCache(lines, (j) => toIntegers(bt, j * k, k, cols.grid[j]));

  const isSafe = (i: number, j: number): boolean =>
    k <= MAX_TERMS &&
    rows.top[i] < HIGHEST_FACTOR &&
    cols.top[j] < HIGHEST_FACTOR &&
    rows.top[i] + cols.top[j] + 2 + sumBits <= HIGHEST_SUM &&
    rows.grid[i] + cols.grid[j] >= LOWEST_GRID;

  const decide = (i: number, j: number, at: number, tally: Tally): { value: number; low: number } => {
    if (rows.finite[i] === 0 || cols.finite[j] === 0) {
      tally.nonFinite++;
      return { value: nonFiniteDot(a, i * k, bt, j * k, k), low: 0 };
    }
    const grid = rows.grid[i] + cols.grid[j];
    if (!isSafe(i, j)) {
      const pair = roundInteger(integerDot(rowIntegers.get(i), colIntegers.get(j)), grid);
      tally.byBigInt++;
      if (!Number.isFinite(pair.value)) tally.overflowed++;
      return pair;
    }
    const hi = pairs.hi[at];
    const lo = pairs.lo[at];
    const value = hi + lo;
    const z = value - hi;
    const rest = hi - (value - z) + (lo - z);
    const bound = boundOf(k, pairs.magnitude[at], grid);
    if (roundsAlike(value, rest, bound)) {
      tally.byDoubleDouble++;
      if (bound === 0) {
        tally.exactDoubleDouble++;
      } else {
        tally.worstAbsolute = Math.max(tally.worstAbsolute, bound);
        tally.worstRelative = Math.max(tally.worstRelative, bound / Math.abs(value));
      }
      return { value, low: rest };
    }
    tally.byExpansion++;
    const anchors: Anchors | undefined = anchorsFor(k, magnitudeExponent(pairs.magnitude[at]), grid);
    return roundToPair(
      anchors === undefined
        ? dotExpansion(a, i * k, bt, j * k, k)
        : anchoredDot(a, i * k, bt, j * k, k, anchors),
    );
  };

  return (rowBegin, rowEnd, value, low) => {
    const tally = emptyTally();
    tally.entries = (rowEnd - rowBegin) * n;
    for (let i0 = rowBegin; i0 < rowEnd; i0 += ROW_GROUP) {
      const i1 = Math.min(i0 + ROW_GROUP, rowEnd);
      for (let j0 = 0; j0 < n; j0 += width) {
        const j1 = Math.min(j0 + width, n);
        if (!productsAreExact) fillUpper(bt, j0 * k, btUpper, (j1 - j0) * k);
        for (let i = i0; i < i1; i++) {
          if (productsAreExact) {
            sumExactProducts(a, i * k, bt, k, j0, j1, pairs);
          } else {
            fillUpper(a, i * k, aUpper, k);
            sumSplitProducts(a, i * k, aUpper, bt, btUpper, k, j0, j1, pairs);
          }
          for (let j = j0; j < j1; j++) {
            const pair = decide(i, j, j - j0, tally);
            const out = (i - rowBegin) * n + j;
            value[out] = pair.value;
            low[out] = pair.low;
          }
        }
      }
    }
    return tally;
  };
}

/** The upper halves of `count` entries of `line` from `start`. */
function fillUpper(line: Float64Array, start: number, upper: Float64Array, count: number): void {
  for (let t = 0; t < count; t++) upper[t] = upperHalf(line[start + t]);
}
