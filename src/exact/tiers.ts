import { anchoredDot, anchorsFor } from './anchored.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import type { CertificateTally } from './certificate.ts';
import {
  exactProductsBound,
  MAX_TERMS,
  magnitudeExponent,
  pairsFor,
  roundsAlike,
  splitProductsBound,
  sumExactProducts,
} from './double-double.ts';
import { dotExpansion, roundToPair } from './expansion.ts';

import { LineCache } from './line-cache.ts';
import { type ExactOperands, openLines, productsAreExact } from './operands.ts';
import { nonFiniteDot } from './special.ts';

/** An entry of the exact product: see `product` and `low` of {@link ExactProduct}. */
export interface ExactEntry {
  readonly value: number;
  readonly low: number;
}

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

/** Decides single entries of a product. */
export interface Tiers {
  /** Decides an entry by the double-double sum hi + lo and the sum of the magnitudes, or by a tier that sums again. */
  decide(
    i: number,
    j: number,
    hi: number,
    lo: number,
    magnitude: number,
    tally: CertificateTally,
  ): ExactEntry;
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

  const isSafe = (i: number, j: number): boolean =>
    k <= MAX_TERMS &&
    rows.top[i] < HIGHEST_FACTOR &&
    cols.top[j] < HIGHEST_FACTOR &&
    rows.top[i] + cols.top[j] + 2 + sumBits <= HIGHEST_SUM &&
    rows.grid[i] + cols.grid[j] >= LOWEST_GRID;

  const decide: Tiers['decide'] = (i, j, hi, lo, magnitude, tally) => {
    if (rows.finite[i] === 0 || cols.finite[j] === 0) {
      tally.nonFinite++;
      return { value: nonFiniteDot(row(i), 0, column(j), 0, k), low: 0 };
    }
    const grid = rows.grid[i] + cols.grid[j];
    if (!isSafe(i, j)) {
      const entry = roundInteger(integerDot(rowIntegers.get(i), colIntegers.get(j)), grid);
      tally.byBigInt++;
      if (!Number.isFinite(entry.value)) tally.overflowed++;
      return entry;
    }
    const value = hi + lo;
    const z = value - hi;
    const rest = hi - (value - z) + (lo - z);
    const bound = boundOf(k, magnitude, grid);
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
    const anchors = anchorsFor(k, magnitudeExponent(magnitude), grid);
    return roundToPair(
      anchors === undefined
        ? dotExpansion(row(i), 0, column(j), 0, k)
        : anchoredDot(row(i), 0, column(j), 0, k, anchors),
    );
  };

  return {
    decide,
    decideAlone(i, j, tally) {
      sumExactProducts(row(i), 0, column(j), k, 0, 1, alone);
      return decide(i, j, alone.hi[0], alone.lo[0], alone.magnitude[0], tally);
    },
  };
}
