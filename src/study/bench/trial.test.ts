import { afterAll, beforeAll, expect, test } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { exactProduct } from '../../exact/exact.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { uniform } from '../../inputs/uniform.ts';
import { builtinKernel } from '../../kernels/builtin.ts';
import { type BenchTrack, sweep } from './sweep.ts';
import { timeKernel } from './trial.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const timing = { warmUp: 1, trials: 4, least: 0, most: 60, fewest: 3 };
const flat = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** Returns the device with a limit on the bytes that it binds. */
const within = (bytes: number): OpenDevice => ({
  ...open,
  limits: new Proxy(open.limits, {
    get: (limits, key) => (key === 'maxBufferSize' ? bytes : Reflect.get(limits, key, limits)),
  }),
});

itWhole('a product that does not fit is timed in panels, and has the bits of the whole one', async () => {
  const shape = { m: 45, k: 33, n: 70 };
  const pair = uniform.generate({ ...shape, seed: 3 });
  const small = within(4 * 1500);
  const [whole, cut] = [open, small].map((device) => builtinKernel('classical:naive', device));
  const plan = cut.plan(shape, flat);
  const one = await timeKernel({ kernel: whole, plan, operands: pair }, timing);
  const parts = await timeKernel({ kernel: cut, plan, operands: pair }, timing);
  expect(one.panels).toBeUndefined();
  expect(parts.panels).toBeGreaterThan(1);
  expect(parts.product.c).toEqual(one.product.c);
  expect([one.seconds, parts.seconds].map(({ length }) => length)).toEqual([4, 4]);
  expect(parts.clock).toBe(one.clock);
  expect(parts.seconds.every((seconds) => seconds > 0)).toBe(true);
  expect(parts.whole).toBeGreaterThan(0);
});

test('a sweep goes on where recursion does not fit, and says up to which size it does', async () => {
  const machine = within(4 * 1500);
  const track: BenchTrack = {
    ...{ machine, onGpu: true, exactMultiply: async (a, b) => exactProduct(a, b), timing },
    kernelOf: async ({ kernel }) => builtinKernel(kernel, machine),
  };
  const entrants = [{ kernel: 'strassen:naive', levels: 1 }, { kernel: 'classical:naive' }];
  const shape = { m: 48, k: 48, n: 48 };
  const { measurements, missed } = await sweep([{ shape, input: 'uniform', entrants }], track);
  expect(missed.map(({ why }) => why)).toEqual([
    expect.stringMatching(/^strassen:naive needs \d+ bytes for A, .* square products fit up to n = 34, in/),
  ]);
  expect(measurements).toHaveLength(1);
  expect(measurements[0].panels).toBeGreaterThan(1);
  expect(measurements[0].bits).toBeGreaterThan(20);
});
