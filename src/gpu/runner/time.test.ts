import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { uniform } from '../../inputs/uniform.ts';
import { builtinKernel } from '../../kernels/builtin.ts';
import { multiply } from '../../kernels/kernel.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import type { OpenDevice } from '../device.ts';
import { openNodeDevice } from '../node/open.ts';
import { hasTimestamps, openTimestamps } from '../queue/timestamps.ts';
import type { DeviceJob, Executable } from './device-job.ts';
import { AWAKE_AFTER, type DeviceTimingOptions, timeJob } from './time.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const shape = { m: 40, k: 40, n: 40 };
const { a, b } = uniform.generate({ ...shape, seed: 1 });
const timing: DeviceTimingOptions = { warmUp: 1, trials: 4, least: 0, most: 60, fewest: 3 };

function job(name: string, levels: number): DeviceJob {
  const kernel = builtinKernel(name, open);
  const plan = kernel.plan(shape, { levels, fringe: 'pad', tail: 'mask' });
  return { ...(kernel.executable?.(plan) as Executable), a, b };
}

test('a product that was computed again and again has the bits of one, and leaves guards alone', async () => {
  const kernel = builtinKernel('winograd:tiled', open);
  const plan = kernel.plan(shape, { levels: 1, fringe: 'pad', tail: 'mask' });
  const once = await multiply({ kernel, plan, operands: { a, b } });
  const timed = await timeJob(open, job('winograd:tiled', 1), timing);
  expect(timed.product.c.data).toEqual(once.c.data);
  expect(timed.product).toMatchObject({ overwritten: 0, changed: 0, unwritten: 0 });
  expect(timed.seconds).toHaveLength(4);
  expect(timed.whole).toBeGreaterThan(0);
});

test.each(
  inShort(
    [
      ['in place', false],
      ['apart', true],
    ],
    2,
  ),
)('nor is C added to again and again where D lies %s', async (_, isApart) => {
  const kernel = builtinKernel('classical:register', open);
  const plain = plainGemm(shape);
  const gemm = { ...plain, batch: 2, beta: 2, ...(isApart ? { d: { ...plain.c } } : {}) };
  const plan = kernel.plan(shape, { levels: 0, fringe: 'pad', tail: 'mask' }, gemm);
  const twice = (one: Matrix) => matrix(80, 40, Float32Array.of(...one.data, ...one.data));
  const operands = { a: twice(a), b: twice(b), c: twice(a) };
  const once = await multiply({ kernel, plan, operands, gemm });
  const { product } = await timeJob(
    open,
    { ...(kernel.executable?.(plan) as Executable), ...operands, gemm },
    timing,
  );
  expect(product.c.data).toEqual(once.c.data);
  expect(product).toMatchObject({ overwritten: 0, changed: 0, unwritten: 0 });
});

test('the device tells the time where it can and is asked to', async () => {
  expect(hasTimestamps(open)).toBe(true);
  const byDevice = await timeJob(open, job('classical:naive', 0), timing);
  const byWall = await timeJob(open, job('classical:naive', 0), timing, 'submission');
  expect([byDevice.clock, byWall.clock]).toEqual(['timestamps', 'submission']);
});

test('its ticks are nanoseconds, and those of a clock that stood or ran backwards tell nothing', async () => {
  const ticks = BigUint64Array.of(1000n, 3500n, 7n, 7n, 9n, 8n);
  const buffer = { size: ticks.byteLength, mapAsync: async () => {}, getMappedRange: () => ticks.buffer };
  const encoder = { resolveQuerySet() {}, copyBufferToBuffer() {}, finish() {} };
  const told = new Proxy(open.device, {
    get(target, key) {
      if (key === 'createBuffer') return () => ({ ...buffer, unmap() {}, destroy() {} });
      if (key === 'createQuerySet') return () => ({ destroy() {} });
      if (key === 'createCommandEncoder') return () => encoder;
      if (key === 'queue') return { submit() {} };
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const stamps = await openTimestamps({ ...open, device: told }, 3, 'mine');
  for (let at = 0; at < 3; at++) stamps.next();
  expect(await stamps.read()).toEqual([2.5e-6, undefined, undefined]);
  stamps.destroy();
});

test('an adapter without timestamps is timed by the wall clock', async () => {
  const features = new Set([...open.device.features].filter((name) => name !== 'timestamp-query'));
  const device = new Proxy(open.device, {
    get: (target, key) => {
      if (key === 'features') return features;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const timed = await timeJob({ ...open, device }, job('classical:tiled', 0), timing);
  expect(timed.clock).toBe('submission');
  expect(timed.seconds.every((seconds) => seconds > 0)).toBe(true);
});

describe('on a device of which every product takes 10 ms', () => {
  let time = 0;
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    const pass = open.device.createCommandEncoder().beginComputePass();
    const passes = Object.getPrototypeOf(pass) as typeof pass;
    const dispatch = passes.dispatchWorkgroups;
    vi.spyOn(passes, 'dispatchWorkgroups').mockImplementation(function (this: typeof pass, ...workgroups) {
      time += 10;
      dispatch.apply(this, workgroups);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const timed = (kind: 'hardware' | 'software', given: DeviceTimingOptions) => {
    const device = { ...open, fingerprint: { ...open.fingerprint, kind } };
    return timeJob(device, job('classical:naive', 0), given, 'submission');
  };

  test('a GPU works before it is timed, since the clock of an idle one is low', async () => {
    const submitted = vi.spyOn(open.device.queue, 'submit');
    const submissions = async (kind: 'hardware' | 'software') => {
      submitted.mockClear();
      expect((await timed(kind, timing)).seconds).toHaveLength(timing.trials);
      return submitted.mock.calls.length;
    };
    const few = await submissions('software');
    // Two products before these, one that warms up and one that decides the repeats, count as work too.
    expect(await submissions('hardware')).toBe(few + (1000 * AWAKE_AFTER) / 10 - 2);
  });

  test('short products are repeated, until a trial is long enough', async () => {
    const { repeats, seconds } = await timed('software', { ...timing, trials: 3, least: 0.095 });
    expect(repeats).toBe(11);
    expect(seconds).toEqual([0.01, 0.01, 0.01]);
  });

  test('no trial begins after the time is up, but for the fewest', async () => {
    const cut = (most: number) => timed('software', { ...timing, trials: 50, most });
    expect((await cut(0.195)).seconds).toHaveLength(20);
    expect((await cut(0)).seconds).toHaveLength(3);
  });
});
