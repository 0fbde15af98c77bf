import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { unknownName } from '../../base/messages.ts';
import { exactProduct } from '../../exact/exact.ts';
import type { Machine } from '../../gpu/device.ts';
import { tooLarge } from '../../gpu/messages.ts';
import type { DeviceTimingOptions } from '../../gpu/runner/time.ts';
import { uniform } from '../../inputs/uniform.ts';
import { type Kernel, type KernelJob, multiply } from '../../kernels/kernel.ts';
import { modelKernel } from '../../kernels/model-kernel.ts';
import { corruptKernel, tamperKernel } from '../../kernels/tampered.testing.ts';
import { emulated } from '../../precision/arithmetic.ts';
import { singleComputation } from '../../precision/single.ts';
import type { Entrant } from './measurement.ts';
import { doubleSums, openHostKernel } from './node/host-kernels.ts';

import { type BenchRound, type BenchTrack, sweep } from './sweep.ts';

const arithmetic = { ...emulated, fma: 'once' } as const;
const machine = { arithmetic, fingerprint: { id: 'cpu' } } as Machine;
const timing: DeviceTimingOptions = { warmUp: 1, trials: 4, least: 0, most: 60, fewest: 3 };

const track = (kernelOf: (entrant: Entrant) => Kernel, more: Partial<BenchTrack> = {}): BenchTrack => ({
  ...{ machine, onGpu: false, exactMultiply: async (a, b) => exactProduct(a, b), timing },
  kernelOf: async (entrant) => kernelOf(entrant),
  ...more,
});
const mirrored = ({ kernel }: Entrant) => modelKernel(kernel.split(':')[0], singleComputation(arithmetic));
const round = (n: number, entrants: readonly Entrant[]): BenchRound => ({
  shape: { m: n, k: n, n },
  input: 'uniform',
  entrants,
});

test('every entrant gets its trials, an interval around the median, and the bits of its product', async () => {
  const entrants = [{ kernel: 'classical:x' }, { kernel: 'winograd:x', levels: 2 }];
  const { measurements, missed } = await sweep([round(24, entrants)], track(mirrored));
  expect(missed).toEqual([]);
  expect(measurements.map(({ label }) => label)).toEqual(['classical:x', 'winograd:x, 2 levels']);
  for (const { seconds, median, interval, checked, absolute, clock } of measurements) {
    expect(seconds).toHaveLength(4);
    expect(interval[0]).toBeLessThanOrEqual(median);
    expect(interval[1]).toBeGreaterThanOrEqual(median);
    expect({ checked, absolute, clock }).toEqual({ checked: 1, absolute: false, clock: 'whole' });
  }
  const [classical, winograd] = measurements.map(({ bits }) => bits);
  expect(classical).toBeGreaterThan(21);
  expect(winograd).toBeLessThan(classical - 0.3);
});

test('a wrong entry shows as no bits, whatever the speed', async () => {
  const broken = (entrant: Entrant): Kernel =>
    corruptKernel(mirrored(entrant), ({ c }) => {
      c.data[5] += 3;
    });
  const { measurements } = await sweep([round(16, [{ kernel: 'classical:x' }])], track(broken));
  expect(measurements[0].bits).toBeLessThan(2);
});

describe('what cannot be timed', () => {
  const failing = (error: () => Error) => (entrant: Entrant) => {
    const kernel = mirrored(entrant);
    if (entrant.kernel !== 'strassen:x') return kernel;
    return tamperKernel(kernel, () => Promise.reject(error()));
  };
  const rounds = [round(8, [{ kernel: 'strassen:x', levels: 1 }, { kernel: 'classical:x' }])];

  test('by the device is missed with its reason, and the others go on', async () => {
    const exceeding = () => tooLarge({ kernel: 'x', buffer: 'A', bytes: 9, largest: 8 });
    const { measurements, missed } = await sweep(rounds, track(failing(exceeding)));
    expect(measurements.map(({ kernel }) => kernel)).toEqual(['classical:model']);
    expect(missed).toEqual([
      { label: 'strassen:x, 1 level', m: 8, k: 8, n: 8, why: expect.stringMatching(/needs 9 bytes for A/) },
    ]);
  });

  test('for want of memory is missed too', async () => {
    const { missed } = await sweep(
      rounds,
      track(failing(() => new RangeError('Invalid typed array length'))),
    );
    expect(missed[0].why).toMatch(/the operands do not fit in memory: Invalid typed array length/);
  });

  test('because the kernel refuses the shape is missed, before operands are made', async () => {
    const picky = (entrant: Entrant): Kernel => ({ ...mirrored(entrant), refuses: () => 'm is odd' });
    const { missed } = await sweep(rounds, track(picky));
    expect(missed.map(({ why }) => why)).toEqual(Array(2).fill('it does not support this shape: m is odd'));
  });

  test('because of a mistake of the user ends the run', async () => {
    const unknown = () => unknownName({ what: 'kernel', given: 'x', known: [] });
    await expect(sweep(rounds, track(failing(unknown)))).rejects.toThrow(/Unknown kernel/);
  });

  test('is left when somebody asks to stop', async () => {
    let measured = 0;
    const { measurements } = await sweep(
      [round(8, [{ kernel: 'classical:x' }]), round(9, [{ kernel: 'classical:x' }])],
      track(mirrored, { onMeasured: () => measured++, stop: () => measured === 1 }),
    );
    expect(measurements.map(({ n }) => n)).toEqual([8]);
  });
});

test('a kernel with a clock of its own is timed by that', async () => {
  const own = { seconds: [0.5, 0.4, 0.6], onGpu: true };
  const clocked = (entrant: Entrant): Kernel => {
    const kernel = { ...mirrored(entrant), leaf: '' };
    const { session } = kernel;
    const time = async (job: KernelJob) => ({
      ...({ clock: 'own', repeats: 1, ...own, product: await multiply({ ...job, kernel }) } as const),
    });
    return { ...kernel, session: { ...session, time } };
  };
  const { measurements } = await sweep([round(8, [{ kernel: 'classical:x' }])], track(clocked));
  expect(measurements[0]).toMatchObject({ clock: 'own', absolute: true, median: 0.5, seconds: own.seconds });
  const whole = track(clocked, { clock: 'whole' });
  expect((await sweep([round(8, [{ kernel: 'classical:x' }])], whole)).measurements[0].clock).toBe('whole');
});

describe('products on the processor', () => {
  const shape = { m: 37, k: 70, n: 45 };

  itWhole('tiles on one thread and on several give the bits of one sequential sum', async () => {
    for (const name of ['host:tiled', 'host:threads', 'host:shares'] as const) {
      const kernel = openHostKernel(name);
      const entrants = [{ kernel: name, precision: 'f64' as const }];
      const outcome = await sweep(
        [{ shape, input: 'uniform-2-5', entrants }],
        track(() => kernel),
      );
      expect(outcome.measurements[0].bits).toBeGreaterThan(48);
      const again = await sweep(
        [{ shape, input: 'uniform-2-5', entrants }],
        track(() => kernel),
      );
      expect(again.measurements[0].bits).toBe(outcome.measurements[0].bits);
      await kernel.session.close?.();
    }
  });

  test('threads say what they lack where memory cannot be shared', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const kernel = openHostKernel('host:threads');
    const entrants = [{ kernel: 'host:threads', precision: 'f64' as const }];
    const { missed } = await sweep(
      [{ shape, input: 'uniform-2-5', entrants }],
      track(() => kernel),
    );
    vi.unstubAllGlobals();
    expect(missed[0].why).toContain('cannot run here: it needs SharedArrayBuffer');
    await kernel.session.close?.();
  });

  test('threads get memory, not arrays, whose length would not arrive from 2^32 bytes on', async () => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    const kernel = openHostKernel('host:threads');
    const operands = uniform.generate({ ...shape, seed: 1 });
    await multiply({
      kernel,
      plan: kernel.plan(shape, { levels: 0, fringe: 'pad', tail: 'mask' }),
      operands,
    });
    await kernel.session.close?.();
    const parts = posted.mock.calls.flatMap(([task]) => Object.values(task));
    posted.mockRestore();
    expect(parts.filter((part) => part instanceof SharedArrayBuffer).length).toBeGreaterThanOrEqual(3);
    const views = parts.filter((part) => ArrayBuffer.isView(part));
    expect(views.every(({ byteLength }) => byteLength === 4)).toBe(true);
  });

  test('sums in double are rounded once', () => {
    const a = { rows: 1, cols: 3, data: Float32Array.of(1, 2 ** -30, -1) };
    const b = { rows: 3, cols: 1, data: Float32Array.of(1, 1, 1) };
    expect([...doubleSums(a, b).data]).toEqual([2 ** -30]);
  });
});
