import { afterAll, describe, expect, test, vi } from 'vitest';
import { emulated } from '../precision/arithmetic.ts';
import { doublePrecision } from '../precision/double.ts';
import { halfPrecision, nativeHalf } from '../precision/half.ts';
import { pairPrecision } from '../precision/pairs.ts';
import { hasShaders, precisions } from '../precision/precisions.ts';
import { singlePrecision } from '../precision/single.ts';
import { single } from '../precision/wgsl/numeric.ts';
import { computationIn } from './computation.ts';
import type { OpenDevice } from './device.ts';
import { openNodeDevice } from './node/open.ts';
import { measureErrorFree } from './probe/error-free.ts';

vi.mock('./arithmetic.ts', { spy: true });
vi.mock('./probe/error-free.ts', { spy: true });

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** Returns the same device as a new object, with no cached measurements. */
const anew = (): OpenDevice => ({ ...open });

describe('a computation', () => {
  test.each(precisions.items.filter(hasShaders))(
    'in $name is one of that precision, and made once a device',
    async (precision) => {
      const made = await computationIn(open, precision);
      expect(made.precision).toBe(precision);
      expect(await computationIn(open, precision)).toBe(made);
    },
  );

  test('in binary32 and with its sums has the arithmetic that was measured', async () => {
    expect((await computationIn(open, singlePrecision)).numeric).toBe(single);
    const inSingle = precisions.items.filter(({ accumulated }) => accumulated.native === 'f32');
    for (const precision of inSingle.filter(hasShaders)) {
      expect((await computationIn(open, precision)).arithmetic).toBe(open.arithmetic);
    }
  });

  test('in parts of operands is refused, since no shader of ours splits them', async () => {
    const parts = precisions.find('tf32x3-f32');
    await expect(computationIn(open, parts)).rejects.toThrow(/no built-in shader splits operands into parts/);
  });

  test('in binary16 is emulated where the device has none, and measured where it has', async () => {
    expect(open.device.features.has('shader-f16')).toBe(false);
    const { arithmetic, numeric } = await computationIn(open, halfPrecision);
    expect(arithmetic).toBe(emulated);
    expect(numeric.multiplyAdd('x', 'y', 's', 1)).toBe('roundSum(roundSum(x * y) + s)');
    const measured = { ...emulated, fma: 'once' } as const;
    const { measureArithmetic } = await import('./arithmetic.ts');
    vi.mocked(measureArithmetic).mockResolvedValueOnce(measured);
    const device = { features: new Set(['shader-f16']) } as unknown as GPUDevice;
    const native = await computationIn({ ...open, device }, halfPrecision);
    expect(native).toEqual({ precision: halfPrecision, arithmetic: measured, numeric: nativeHalf });
  });

  test('in binary64 owes nothing to the device', async () => {
    expect((await computationIn(open, doublePrecision)).arithmetic).toBe(emulated);
  });

  test('in pairs has the device’s sums, but no infinities', async () => {
    const { arithmetic } = await computationIn(open, pairPrecision);
    expect(arithmetic).toEqual({ ...open.arithmetic, exceptions: false });
  });
});

describe('pairs are refused where errors cannot be recovered', () => {
  test('with the reason the probe gives', async () => {
    vi.mocked(measureErrorFree).mockResolvedValueOnce({ exact: false, reason: 'TwoSum loses its error' });
    const refused = computationIn(anew(), pairPrecision);
    await expect(refused).rejects.toMatchObject({
      code: 'precision-unserved',
      message: expect.stringContaining('TwoSum loses its error'),
    });
  });

  test('or with one of its own, naming the device', async () => {
    vi.mocked(measureErrorFree).mockResolvedValueOnce({ exact: false });
    await expect(computationIn(anew(), pairPrecision)).rejects.toThrow(open.fingerprint.name);
  });
});
