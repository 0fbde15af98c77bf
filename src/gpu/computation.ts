import { part } from '../base/part.ts';
import { type Computation, type DeviceFacts, type Precision, wgslOf } from '../precision/precision.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';
import { half, measureArithmetic } from './arithmetic.ts';
import type { OpenDevice } from './device.ts';
import { precisionUnserved } from './messages.ts';
import { hasPackedDots } from './packed-dots.ts';

/** How a device computes in a precision: in which arithmetic, and by which WGSL. */
export interface DeviceComputation extends Computation {
  readonly numeric: Numeric;
}

/** The same for the same argument, made once. */
function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}

/** What precisions may ask of an open device; measured once a device, when it is asked. */
export const factsOf: (open: OpenDevice) => DeviceFacts = once((open) => {
  const measureHalf = once(async (open: OpenDevice) =>
    open.device.features.has('shader-f16') ? measureArithmetic(open, half) : undefined,
  );
  const measureLost = once(async (open: OpenDevice) => {
    const { measureErrorFree } = await part(
      'measures the errors of sums',
      () => import('./probe/error-free.ts'),
    );
    const { exact, reason = 'its sums and products leave errors that cannot be recovered' } =
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
 * How an open device computes in a precision; found out once a device.
 * @throws ParanoiaError `precision-unserved`, or what the device reports while it is measured.
 */
export const computationIn = (open: OpenDevice, precision: Precision): Promise<DeviceComputation> =>
  computationsOf(open)(precision);
