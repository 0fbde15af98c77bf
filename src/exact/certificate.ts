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

/** Merges the certificates of disjoint parts of a product. */
export function mergeCertificates(parts: readonly Certificate[]): Certificate {
  const all = emptyTally();
  for (const part of parts) {
    all.entries += part.entries;
    all.byExactSum += part.byExactSum;
    all.byDoubleDouble += part.byDoubleDouble;
    all.byExpansion += part.byExpansion;
    all.byBigInt += part.byBigInt;
    all.nonFinite += part.nonFinite;
    all.exactDoubleDouble += part.exactDoubleDouble;
    all.overflowed += part.overflowed;
    all.worstAbsolute = Math.max(all.worstAbsolute, part.worstAbsolute);
    all.worstRelative = Math.max(all.worstRelative, part.worstRelative);
  }
  return all;
}
