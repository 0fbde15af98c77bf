import { loadPart } from '../base/part.ts';
import { type Computation, type DeviceFacts, type Precision, wgslOf } from '../precision/precision.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';
import { half, measureArithmetic } from './arithmetic.ts';
import type { OpenDevice } from './device.ts';
import { precisionUnserved } from './messages.ts';
import { hasPackedDots } from './packed-dots.ts';

/** A device's way to compute in a precision: its arithmetic, and its WGSL. */
export interface DeviceComputation extends Computation {
  readonly numeric: Numeric;
}

function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}

/** Returns the facts about an open device that precisions may ask for. Each is measured once a device, on demand. */
export const factsOf: (open: OpenDevice) => DeviceFacts = once((open) => {
  const measureHalf = once(async (open: OpenDevice) =>
    open.device.features.has('shader-f16') ? measureArithmetic(open, half) : undefined,
  );
  const measureLost = once(async (open: OpenDevice) => {
    const { measureErrorFree } = await loadPart(
      'measures the errors of sums',
      () => import('./probe/error-free.ts'),
    );
    const { exact, reason = 'errors of its sums and products cannot be recovered' } =
      await measureErrorFree(open);
    return exact ? undefined : reason;
  });
  const measureDots = once(hasPackedDots);
  return {
    arithmetic: open.arithmetic,
    half: () => measureHalf(open),
    packedDots: () => measureDots(open),
    losesErrors: () => measureLost(open),
  };
});

const computationsOf = once((open: OpenDevice) =>
  once(async (precision: Precision): Promise<DeviceComputation> => {
    const wgsl = await wgslOf(precision, factsOf(open));
    if (typeof wgsl !== 'string') return { precision, ...wgsl };
    throw precisionUnserved({ precision: precision.name, name: open.fingerprint.name, why: wgsl });
  }),
);

/**
 * Finds out, once a device, how an open device computes in a precision.
 * @throws ParanoiaError `precision-unserved`, or the error that the device reports during the measurement.
 */
export const computationIn = (open: OpenDevice, precision: Precision): Promise<DeviceComputation> =>
  computationsOf(open)(precision);
