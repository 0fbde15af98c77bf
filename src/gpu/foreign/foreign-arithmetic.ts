import type { Arithmetic } from '../../formats/arithmetic.ts';
import type { PrecisionName } from '../../formats/precision.ts';
import { assumedArithmetic } from '../../kernel/assumed-arithmetic.ts';
import type { Claims } from '../../kernel/claims.ts';
import { computationIn } from '../computation.ts';
import type { OpenDevice } from '../device.ts';

/**
 * What bounds and expected errors assume of a kernel of others on an open device: subnormals, rounding and exceptions
 * as the device was measured, in shaders of ours. Whether it fuses products and sums is its own affair, so that it is
 * never compared with the mirror bit for bit. Of precisions that the device does not compute in itself (f64 and pairs;
 * f16 without shader-f16, where kernels convert between f16 and f32) nothing is measured.
 */
export async function foreignArithmetic(
  precision: PrecisionName,
  open: OpenDevice,
  claims: Claims = {},
): Promise<Arithmetic> {
  const assumed = assumedArithmetic(precision, claims);
  const measured = await measuredIn(precision, open);
  if (measured === undefined) return precision === 'f16' ? { ...assumed, ...converted } : assumed;
  return {
    ...measured,
    precision,
    fused: false,
    mirrored: false,
    exceptionsFollowIeee: measured.exceptionsFollowIeee && assumed.exceptionsFollowIeee,
  };
}

/** WGSL lets conversions to f16 give either neighbour, and anything for what overflows. */
const converted = { roundsToNearest: false, exceptionsFollowIeee: false };

async function measuredIn(precision: PrecisionName, open: OpenDevice): Promise<Arithmetic | undefined> {
  if (precision === 'f64' || precision === 'f32x2') return undefined;
  if (precision !== 'f16') return open.arithmetic;
  if (!open.device.features.has('shader-f16')) return undefined;
  return (await computationIn(open, 'f16')).arithmetic;
}
