/** How much faster something is than what it is compared with, at a size. */
export interface RatioAtSize {
  readonly size: number;
  /** Above 1 it is faster. */
  readonly ratio: number;
  /** Whether that is beyond doubt. @defaultValue whether the ratio is above 1 */
  readonly faster?: boolean;
}

/** From where on something is faster. */
export type BreakEven =
  | {
      readonly kind: 'from';
      /** The smallest measured size from which on it is faster at every size measured. */
      readonly size: number;
      /** Where a straight line over log2 of the size crosses 1; the size itself where it is faster at all. */
      readonly crossing: number;
    }
  | { readonly kind: 'never' }
  | { readonly kind: 'no-sizes' };

/**
 * The break-even size: from it on, up to the largest measured, it is faster throughout. A size at which it is
 * faster by chance, and slower again above, does not count.
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
