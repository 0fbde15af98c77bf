import type { Arithmetic } from '../formats/arithmetic.ts';
import { emulated } from '../formats/arithmetic.ts';
import type { PrecisionName } from '../formats/precision.ts';
import { problem } from '../problems.ts';
import { measureArithmetic } from './arithmetic.ts';
import { half } from './arithmetic16.ts';
import type { OpenDevice } from './device.ts';
import { binary64 } from './numerics/f64.ts';
import { emulatedHalf, nativeHalf } from './numerics/half.ts';
import { mixed } from './numerics/mixed.ts';
import type { Numeric } from './numerics/numeric.ts';
import { pairs } from './numerics/pairs.ts';
import { roundHalf, roundOff } from './numerics/rounding.ts';
import { single } from './numerics/single.ts';
import { measureErrorFree } from './probe/error-free.ts';

/** How a device computes in a precision: what was measured of its arithmetic, and the WGSL. */
export interface Computation {
  readonly arithmetic: Arithmetic;
  readonly numeric: Numeric;
}

const table: Readonly<Record<PrecisionName, (open: OpenDevice) => Promise<Computation>>> = {
  f32: async ({ arithmetic }) => ({ arithmetic, numeric: single }),
  f16: async (open) =>
    open.device.features.has('shader-f16')
      ? { arithmetic: await measureArithmetic(open, half), numeric: nativeHalf }
      : { arithmetic: emulated('f16'), numeric: emulatedHalf },
  'f16-f32': mixedOf('f16-f32', mixed(roundHalf)),
  'bf16-f32': mixedOf('bf16-f32', mixed(roundOff('roundToBf16', 16))),
  'tf32-f32': mixedOf('tf32-f32', mixed(roundOff('roundToTf32', 13))),
  f64: async () => ({ arithmetic: emulated('f64'), numeric: binary64 }),
  f32x2: async (open) => {
    const { exact, reason = 'its sums and products leave errors that cannot be recovered' } =
      await measureErrorFree(open);
    if (!exact)
      throw problem('precision-unserved', { precision: 'f32x2', name: open.fingerprint.name, why: reason });
    const arithmetic = { ...open.arithmetic, precision: 'f32x2', exceptionsFollowIeee: false } as const;
    return { arithmetic, numeric: pairs };
  },
};

function mixedOf(precision: PrecisionName, numeric: Numeric) {
  return async ({ arithmetic }: OpenDevice): Promise<Computation> => ({
    arithmetic: { ...arithmetic, precision },
    numeric,
  });
}

const known = new WeakMap<OpenDevice, Map<PrecisionName, Promise<Computation>>>();

/**
 * How an open device computes in a precision; measured once a device.
 * @throws Problem `precision-unserved`, or what the device reports while it is measured.
 */
export function computationIn(open: OpenDevice, precision: PrecisionName): Promise<Computation> {
  const ofDevice = known.get(open) ?? new Map<PrecisionName, Promise<Computation>>();
  known.set(open, ofDevice);
  const found = ofDevice.get(precision) ?? table[precision](open);
  ofDevice.set(precision, found);
  return found;
}
