/** The speed of an entrant relative to another, at a size. */
export interface RatioAtSize {
  readonly size: number;
  /** Ratio of speeds; above 1 the entrant is faster. */
  readonly ratio: number;
  /** True if the entrant is certainly faster. @defaultValue true if the ratio is above 1 */
  readonly faster?: boolean;
}

/** The size from which on an entrant is faster. */
export type BreakEven =
  | {
      readonly kind: 'from';
      /** The smallest measured size from which on it is faster at every measured size. */
      readonly size: number;
      /** The size at which a straight line over log2 of the size crosses 1; the size itself where it is faster at all. */
      readonly crossing: number;
    }
  | { readonly kind: 'never' }
  | { readonly kind: 'no-sizes' };

/**
 * Finds the break-even size: from it on, up to the largest measured one, the entrant is faster throughout. A size at which it is faster by
 * chance, and slower again above, does not count.
 */
export function breakEven(points: readonly RatioAtSize[]): BreakEven {
  const sorted = [...points].sort((a, b) => a.size - b.size);
  if (sorted.length === 0) return { kind: 'no-sizes' };
  const lastSlow = sorted.findLastIndex(({ ratio, faster = ratio > 1 }) => !faster);
  const first = sorted[lastSlow + 1];
  if (first === undefined) return { kind: 'never' };
  if (lastSlow < 0) return { kind: 'from', size: first.size, crossing: first.size };
  const before = sorted[lastSlow];
  if (before.ratio >= 1) return { kind: 'from', size: first.size, crossing: first.size };
  const share = (1 - before.ratio) / (first.ratio - before.ratio);
  const crossing = 2 ** (Math.log2(before.size) + share * Math.log2(first.size / before.size));
  return { kind: 'from', size: first.size, crossing };
}
