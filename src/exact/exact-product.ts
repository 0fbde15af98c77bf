import type { Matrix } from '../matrix/dense.ts';
import type { ProductMagnitudes } from './magnitudes.ts';

/** Returns memory for so many numbers. */
export type Lend = (entries: number) => Float64Array;

/** The exact product of A (m×k) and B (k×n), in about 106 bits, with its certificate. */
export interface ExactProduct {
  /**
   * m×n: each entry is the exact inner product rounded to binary64, to nearest, ties to even, or ±Infinity beyond the largest double. An
   * exact zero is +0; a nonzero one that rounds to zero keeps its sign. If an operand is NaN or infinite, it is the IEEE 754 answer.
   */
  readonly product: Matrix<Float64Array>;
  /**
   * m×n row-major, exact − product: at most half a unit in the last place of the product in magnitude. If a double-double sum decided,
   * its error is at most the certificate's `worstAbsolute`. Otherwise it is correctly rounded: its error is at most 2^-53·abs(low), or
   * 2^-1075 if that is larger, and 0 if two doubles hold the sum. It is 0 if the product is not finite.
   */
  readonly low: Float64Array;
  readonly certificate: Certificate;
  /** The magnitudes of each entry's terms, where they were requested and computed with the product. */
  readonly magnitudes?: ProductMagnitudes | undefined;
  /** Returns memory for facts on the entries, with arbitrary contents, where the arrays of the product are lent, too. */
  readonly lend?: Lend | undefined;
}

/** A record of how the entries of an exact product were decided, with the bounds proved before rounding. */
export interface Certificate {
  /** The entries of the product: the sum of the next five. */
  readonly entries: number;
  /** Entries decided by a sum without error: by digits, in slices or from anchors. */
  readonly byExactSum: number;
  /** Entries decided by the double-double sum and its error bound. */
  readonly byDoubleDouble: number;
  /** Entries summed again without error, in floating-point expansions. */
  readonly byExpansion: number;
  /** Entries summed again without error, in integers, since an expansion could overflow or underflow. */
  readonly byBigInt: number;
  /** Entries that are NaN or infinite because an operand is. */
  readonly nonFinite: number;
  /** Entries of `byDoubleDouble` whose double-double sum is exact: no error even before rounding. */
  readonly exactDoubleDouble: number;
  /** Entries whose operands are finite, and whose exact value rounds to ±Infinity. */
  readonly overflowed: number;
  /**
   * The largest proved bound, over the entries, on abs(exact − (value + low)) before `low` is rounded: 0 for
   * entries summed without error.
   */
  readonly worstAbsolute: number;
  /** The largest such bound divided by abs(value). */
  readonly worstRelative: number;
}

/** A certificate under construction. */
export type CertificateTally = { -readonly [K in keyof Certificate]: number };

/** Returns the certificate of a product without entries. */
export function emptyTally(): CertificateTally {
  return {
    entries: 0,
    byExactSum: 0,
    byDoubleDouble: 0,
    byExpansion: 0,
    byBigInt: 0,
    nonFinite: 0,
    exactDoubleDouble: 0,
    overflowed: 0,
    worstAbsolute: 0,
    worstRelative: 0,
  };
}

/** The parts of a certificate of which the largest counts. */
const WORST: ReadonlySet<string> = new Set<keyof Certificate>(['worstAbsolute', 'worstRelative']);

/** Merges the certificates of disjoint parts of a product. */
export function mergeCertificates(parts: readonly Certificate[]): Certificate {
  const all = emptyTally();
  for (const part of parts)
    for (const key of Object.keys(all) as (keyof Certificate)[])
      all[key] = WORST.has(key) ? Math.max(all[key], part[key]) : all[key] + part[key];
  return all;
}
