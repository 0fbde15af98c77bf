import { factsOf } from '../../gpu/computation.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { type Arithmetic, assumed } from '../../precision/arithmetic.ts';
import { type Computation, claimedIn, type Precision } from '../../precision/precision.ts';
import type { Claims } from '../claims.ts';

/** WGSL lets conversions to f16 give either neighbour, and anything for what overflows. */
const CONVERTED: Arithmetic = { ...assumed, rounding: 'faithful', exceptions: false };

/**
 * What bounds and expected errors assume of a kernel of others: on an open device, subnormals, rounding and exceptions
 * as it was measured, in shaders of ours. Of formats that the device does not compute in itself (f64 and pairs; f16 without
 * shader-f16, where kernels convert between f16 and f32), and where there is no device, nothing is measured.
 */
export async function externalComputation(
  precision: Precision,
  claims?: Claims,
  open?: OpenDevice,
): Promise<Computation> {
  return claimedIn(precision, claims, open && (await measuredIn(precision, open)));
}

async function measuredIn({ accumulated }: Precision, open: OpenDevice): Promise<Arithmetic | undefined> {
  const { native } = accumulated;
  if (native === undefined) return undefined;
  return native === 'f16' ? ((await factsOf(open).half()) ?? CONVERTED) : open.arithmetic;
}
