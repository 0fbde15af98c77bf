import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uniform } from '../inputs/uniform.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import type { OpenDevice } from './device.ts';
import type { Work } from './execute-many.ts';
import { openNodeDevice } from './node/open.ts';
import { type Timing, timeProgram } from './time-program.ts';
import { hasTimestamps } from './timestamps.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const shape = { m: 40, k: 40, n: 40 };
const { a, b } = uniform.generate({ ...shape, seed: 1 });
const timing: Timing = { warmUp: 1, trials: 4, least: 0, most: 60, fewest: 3 };

function work(name: string, levels: number): Work {
  const kernel = builtinKernel(name, open);
  const plan = kernel.plan(shape, { levels, border: 'pad', edge: 'guard' });
  return kernel.work?.(a, b, plan) as Work;
}

test('a product that was computed again and again has the bits of one, and leaves guards alone', async () => {
  const one = builtinKernel('winograd:tiled', open);
  const once = await one.multiply(a, b, one.plan(shape, { levels: 1, border: 'pad', edge: 'guard' }));
  const timed = await timeProgram(open, work('winograd:tiled', 1), timing);
  expect(timed.execution.c.data).toEqual(once.c.data);
  expect(timed.execution).toMatchObject({ guardsTouched: 0, operandsChanged: 0, unwritten: 0 });
  expect(timed.seconds).toHaveLength(4);
  expect(timed.whole).toBeGreaterThan(Math.min(...timed.seconds));
});

test('the device tells the time, and agrees with the wall clock about what takes long', async () => {
  expect(hasTimestamps(open)).toBe(true);
  const byDevice = await timeProgram(open, work('classical:naive', 0), timing);
  const byWall = await timeProgram(open, work('classical:naive', 0), timing, 'submission');
  expect([byDevice.clock, byWall.clock]).toEqual(['timestamps', 'submission']);
  const ratio = Math.min(...byDevice.seconds) / Math.min(...byWall.seconds);
  expect(ratio).toBeGreaterThan(0.01);
  expect(ratio).toBeLessThan(4);
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
  const timed = await timeProgram({ ...open, device }, work('classical:tiled', 0), timing);
  expect(timed.clock).toBe('submission');
  expect(timed.seconds.every((seconds) => seconds > 0)).toBe(true);
});

test('a GPU works before it is timed, since the clock of an idle one is low', async () => {
  const submitted = vi.spyOn(open.device.queue, 'submit');
  const submissions = async (kind: 'hardware' | 'software') => {
    submitted.mockClear();
    const device = { ...open, fingerprint: { ...open.fingerprint, kind } };
    const { seconds } = await timeProgram(device, work('classical:naive', 0), timing);
    expect(seconds).toHaveLength(timing.trials);
    return submitted.mock.calls.length;
  };
  const few = await submissions('software');
  expect(await submissions('hardware')).toBeGreaterThan(2 * few);
  submitted.mockRestore();
});

test('short products are repeated, and no trial begins after the time is up', async () => {
  const long = await timeProgram(
    open,
    work('classical:tiled', 0),
    { ...timing, trials: 3, least: 0.1 },
    'submission',
  );
  expect(long.repeats).toBeGreaterThan(1);
  expect(Math.min(...long.seconds)).toBeLessThan(0.05);
  const cut = await timeProgram(open, work('classical:tiled', 0), { ...timing, trials: 50, most: 0 });
  expect(cut.seconds).toHaveLength(3);
});
