import type { PrecisionName } from './precision.ts';

/** How a device computes + − × and fma in one precision, as far as devices differ. */
export interface Arithmetic {
  readonly precision: PrecisionName;
  /** fma(a, b, c) rounds once. */
  readonly fused: boolean;
  /** Subnormal operands of + − × and fma count as zeros of their sign. */
  readonly flushesOperands: boolean;
  /**
   * Exact results of smaller magnitude become zeros of their sign; 0 where subnormal results are kept. The
   * three ways of telling a result too small lead to three values: see `TINY` for binary32's.
   */
  readonly flushesBelow: number;
  /** Subnormal operands or results become zero. */
  readonly flushesSubnormals: boolean;
  /** + and × round to nearest, ties to even, on every case tried; else the unit roundoff is twice as large. */
  readonly roundsToNearest: boolean;
  /** The model of this arithmetic gave the device's bits on every finite case tried: it can be mirrored. */
  readonly mirrored: boolean;
  /** Overflow gives infinity, and infinities and NaN compute as in IEEE 754, on every case tried. */
  readonly exceptionsFollowIeee: boolean;
}

/** A precision computed step by step in integers or in a wider format: the same on every device. */
export function emulated(precision: PrecisionName): Arithmetic {
  return {
    precision,
    fused: false,
    flushesOperands: false,
    flushesBelow: 0,
    flushesSubnormals: false,
    roundsToNearest: true,
    mirrored: true,
    exceptionsFollowIeee: true,
  };
}
