import { mapNumbers } from '../base/numbers.ts';
import { type ExactEntry, nonFiniteDot } from './alone.ts';
import { anchoredDot, anchorsFor, anchorWriter } from './anchors.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import {
  exactProductsBound,
  MAX_TERMS,
  magnitudeExponent,
  pairsFor,
  roundsAlike,
  splitProductsBound,
  sumExactProducts,
} from './double-double.ts';
import type { CertificateTally } from './exact-product.ts';
import { dotExpansion, roundToPair } from './expansion.ts';

import { type ExactOperands, LineCache, openLines, productsAreExact } from './operands.ts';
import type { PairSums } from './sums.ts';

/** The integers that the fixed-point tier may cache for each operand. */
const REMEMBERED = 2 ** 20;

/**
 * The exponents that the floating-point tiers accept. No product of two entries may reach 2^(1000 − ⌈log2 k⌉), no factor 2^990, and
 * every product must be a multiple of 2^-900. Then no sum, no part of a split product and no error bound of the double-double sums and
 * the expansions overflows or underflows.
 */
const HIGHEST_SUM = 1000;
const HIGHEST_FACTOR = 990;
const LOWEST_GRID = -900;
/** A top that exceeds every sum of two. */
const UNSAFE_TOP = 2 ** 14;

/** Columns j0 ≤ j < j1 of a row i. */
export interface RowPart {
  readonly i: number;
  readonly j0: number;
  readonly j1: number;
}

/** Decides entries of a product. */
export interface Tiers {
  /**
   * Decides entries of a row by their double-double sums hi + lo and the sums of their magnitudes, or by a tier that sums again.
   * @param from the index of the first sum. @param to the index of the first result.
   */
  decide(
    part: RowPart,
    sums: Pick<PairSums, 'hi' | 'lo' | 'magnitude'>,
    from: number,
    results: { readonly value: Float64Array; readonly low: Float64Array },
    to: number,
    tally: CertificateTally,
  ): void;
  /** Decides an entry without such a sum, if products are exact. */
  decideAlone(i: number, j: number, tally: CertificateTally): ExactEntry;
}

/** Returns the tiers of a product, from the double-double sum down. */
export function tiersOf(operands: ExactOperands): Tiers {
  const { shape, rows, cols } = operands;
  const { k } = shape;
  const boundOf = productsAreExact(operands) ? exactProductsBound : splitProductsBound;
  const sumBits = 32 - Math.clz32(k);
  const { row, column } = openLines(operands);
  const lines = Math.max(1, Math.floor(REMEMBERED / Math.max(k, 1)));
  const rowIntegers = new LineCache(lines, (i) => toIntegers(row(i), 0, k, rows.grid[i]));
  const colIntegers = new LineCache(lines, (j) => toIntegers(column(j), 0, k, cols.grid[j]));
  const alone = pairsFor(1);
  const writeAnchor = anchorWriter(operands, { rows: 1, cols: 1 });
  // 2^grid, of which the entries of a line are multiples.
  const [rowUnits, colUnits] = [rows, cols].map(({ grid }) => mapNumbers(grid, (g) => 2 ** g));

  // Tops of lines whose entries no floating-point tier accepts exceed all others.
  const [rowTops, colTops] = [rows, cols].map(({ top, finite }) =>
    top.map((high, line) => (finite[line] === 0 || high >= HIGHEST_FACTOR ? UNSAFE_TOP : high)),
  );
  const highest = k <= MAX_TERMS ? HIGHEST_SUM - 2 - sumBits : -UNSAFE_TOP;

  /** Decides an entry that the double-double sum cannot. */
  const sumAgain = (i: number, j: number, magnitude: number, tally: CertificateTally): ExactEntry => {
    if (rows.finite[i] === 0 || cols.finite[j] === 0) {
      tally.nonFinite++;
      return { value: nonFiniteDot(row(i), 0, column(j), 0, k), low: 0 };
    }
    const grid = rows.grid[i] + cols.grid[j];
    if (rowTops[i] + colTops[j] > highest || grid < LOWEST_GRID) {
      const entry = roundInteger(integerDot(rowIntegers.get(i), colIntegers.get(j)), grid);
      tally.byBigInt++;
      if (!Number.isFinite(entry.value)) tally.overflowed++;
      return entry;
    }
    tally.byExpansion++;
    const anchors = anchorsFor(k, magnitudeExponent(magnitude), grid);
    return roundToPair(
      anchors === undefined
        ? dotExpansion(row(i), 0, column(j), 0, k)
        : anchoredDot(row(i), 0, column(j), 0, k, anchors),
    );
  };

  const decide: Tiers['decide'] = ({ i, j0, j1 }, { hi, lo, magnitude }, from, { value, low }, to, tally) => {
    const highestColumn = highest - rowTops[i];
    const lowestColumn = LOWEST_GRID - rows.grid[i];
    const unit = rowUnits[i];
    let { worstAbsolute, worstRelative } = tally;
    let [decided, exact] = [0, 0];
    for (let j = j0, at = from, out = to; j < j1; j++, at++, out++) {
      if (colTops[j] <= highestColumn && cols.grid[j] >= lowestColumn) {
        const sum = hi[at] + lo[at];
        const z = sum - hi[at];
        const rest = hi[at] - (sum - z) + (lo[at] - z);
        const bound = boundOf(k, magnitude[at], unit * colUnits[j]);
        if (roundsAlike(sum, rest, bound)) {
          decided++;
          value[out] = sum;
          low[out] = rest;
          if (bound === 0) exact++;
          else {
            if (bound > worstAbsolute) worstAbsolute = bound;
            const relative = bound / Math.abs(sum);
            if (relative > worstRelative) worstRelative = relative;
          }
          continue;
        }
      }
      const entry = sumAgain(i, j, magnitude[at], tally);
      value[out] = entry.value;
      low[out] = entry.low;
    }
    tally.byDoubleDouble += decided;
    tally.exactDoubleDouble += exact;
    tally.worstAbsolute = worstAbsolute;
    tally.worstRelative = worstRelative;
  };

  return {
    decide,
    decideAlone(i, j, tally) {
      writeAnchor({ i0: i, i1: i + 1, j0: j, j1: j + 1 }, 1, alone.magnitude);
      sumExactProducts(row(i), 0, column(j), k, 0, 1, alone);
      decide({ i, j0: j, j1: j + 1 }, alone, 0, { value: alone.hi, low: alone.lo }, 0, tally);
      return { value: alone.hi[0], low: alone.lo[0] };
    },
  };
}
