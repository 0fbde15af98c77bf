import { afterAll, describe, expect, test, vi } from 'vitest';
import { emulated } from '../formats/arithmetic.ts';
import { precisionNames } from '../formats/precision.ts';
import { computationIn } from './computation.ts';
import type { OpenDevice } from './device.ts';
import { openNodeDevice } from './node/open.ts';
import { emulatedHalf, nativeHalf } from './numerics/half.ts';
import { single } from './numerics/single.ts';
import { measureErrorFree } from './probe/error-free.ts';

vi.mock('./arithmetic.ts', { spy: true });
vi.mock('./probe/error-free.ts', { spy: true });

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** The same device as another one, of which nothing has been measured yet. */
const anew = (): OpenDevice => ({ ...open });

describe('a computation', () => {
  test.each(precisionNames)('in %s is one of that precision, and made once a device', async (precision) => {
    const made = await computationIn(open, precision);
    expect(made.arithmetic.precision).toBe(precision);
    expect(await computationIn(open, precision)).toBe(made);
  });

  test('in binary32 and with its sums has the arithmetic that was measured', async () => {
    expect(await computationIn(open, 'f32')).toEqual({ arithmetic: open.arithmetic, numeric: single });
    for (const precision of ['f16-f32', 'bf16-f32', 'tf32-f32'] as const) {
      const { arithmetic } = await computationIn(open, precision);
      expect(arithmetic).toEqual({ ...open.arithmetic, precision });
    }
  });

  test('in binary16 is emulated where the device has none, and measured where it has', async () => {
    expect(open.device.features.has('shader-f16')).toBe(false);
    expect(await computationIn(open, 'f16')).toEqual({
      arithmetic: emulated('f16'),
      numeric: emulatedHalf,
    });
    const measured = { ...emulated('f16'), fused: true };
    const { measureArithmetic } = await import('./arithmetic.ts');
    vi.mocked(measureArithmetic).mockResolvedValueOnce(measured);
    const device = { features: new Set(['shader-f16']) } as unknown as GPUDevice;
    const native = await computationIn({ ...open, device }, 'f16');
    expect(native).toEqual({ arithmetic: measured, numeric: nativeHalf });
  });

  test('in binary64 owes nothing to the device', async () => {
    expect((await computationIn(open, 'f64')).arithmetic).toEqual(emulated('f64'));
  });

  test('in pairs has the device’s sums, but no infinities', async () => {
    const { arithmetic } = await computationIn(open, 'f32x2');
    expect(arithmetic).toEqual({ ...open.arithmetic, precision: 'f32x2', exceptionsFollowIeee: false });
  });
});

describe('pairs are refused where errors cannot be recovered', () => {
  test('with the reason the probe gives', async () => {
    vi.mocked(measureErrorFree).mockResolvedValueOnce({ exact: false, reason: 'TwoSum loses its error' });
    const refused = computationIn(anew(), 'f32x2');
    await expect(refused).rejects.toMatchObject({
      code: 'precision-unserved',
      message: expect.stringContaining('TwoSum loses its error'),
    });
  });

  test('or with one of its own, naming the device', async () => {
    vi.mocked(measureErrorFree).mockResolvedValueOnce({ exact: false });
    await expect(computationIn(anew(), 'f32x2')).rejects.toThrow(open.fingerprint.name);
  });
});
