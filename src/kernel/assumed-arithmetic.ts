import type { Arithmetic } from '../formats/arithmetic.ts';
import type { PrecisionName } from '../formats/precision.ts';
import type { Claims } from './claims.ts';

/**
 * The arithmetic of a kernel that runs where nothing can be measured: IEEE 754's, rounding to nearest, in which
 * subnormals may be flushed (as compilers' fast modes do) and products may be added with one rounding or two. Its
 * mirror is one result among those that the bounds allow, and is never compared.
 */
export function assumedArithmetic(precision: PrecisionName, { exceptions = true }: Claims = {}): Arithmetic {
  return {
    precision,
    fused: false,
    flushesOperands: false,
    flushesBelow: 0,
    flushesSubnormals: true,
    roundsToNearest: true,
    mirrored: false,
    // The parts of an infinite float-float number meet as Inf − Inf.
    exceptionsFollowIeee: exceptions && precision !== 'f32x2',
  };
}
