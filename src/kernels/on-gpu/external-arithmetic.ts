import { factsOf } from '../../gpu/computation.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { type Arithmetic, assumed } from '../../precision/arithmetic.ts';
import { applyClaims, type Computation, type Precision } from '../../precision/precision.ts';
import type { Claims } from '../claims.ts';

/** Arithmetic of converted f16: WGSL lets conversions give either neighbor, and any value on overflow. */
const CONVERTED: Arithmetic = { ...assumed, rounding: 'faithful', exceptions: false };

/**
 * Returns the arithmetic that bounds and expected errors assume of an external kernel. On an open device, subnormals, rounding and
 * exceptions are as measured with built-in shaders. Formats that the device does not compute in itself (f64 and pairs; f16 without
 * shader-f16, where kernels convert between f16 and f32) are not measured, nor is any format without a device.
 */
export async function externalComputation(
  precision: Precision,
  claims?: Claims,
  open?: OpenDevice,
): Promise<Computation> {
  return applyClaims(precision, claims, open && (await measuredIn(precision, open)));
}

async function measuredIn({ accumulated }: Precision, open: OpenDevice): Promise<Arithmetic | undefined> {
  const { native } = accumulated;
  if (native === undefined) return undefined;
  return native === 'f16' ? ((await factsOf(open).half()) ?? CONVERTED) : open.arithmetic;
}
