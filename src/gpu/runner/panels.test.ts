import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { uniform } from '../../inputs/uniform.ts';
import { builtinKernel } from '../../kernels/builtin.ts';
import { multiply } from '../../kernels/kernel.ts';
import { matrix } from '../../matrix/dense.ts';
import type { Method } from '../../problem/method.ts';
import type { OpenDevice } from '../device.ts';
import { outOfGpuMemory } from '../messages.ts';
import { openNodeDevice } from '../node/open.ts';
import type { DeviceJob, Executable } from './device-job.ts';
import { inPanels, panelsFor } from './panels.ts';
import type { Product } from './product.ts';
import { GUARDS } from './stored.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const flat: Method = { levels: 0, fringe: 'pad', tail: 'mask' };

/** Returns the device with a smaller buffer limit. */
const within = (bytes: number): OpenDevice => ({
  ...open,
  limits: new Proxy(open.limits, {
    get: (limits, key) => (key === 'maxBufferSize' ? bytes : Reflect.get(limits, key, limits)),
  }),
});

describe('a product too large for a buffer', () => {
  const shape = { m: 45, k: 33, n: 70 };
  const { a, b } = uniform.generate({ ...shape, seed: 3 });

  test.each(inShort(['classical:naive', 'classical:register'], 2))(
    '%s has the bits of the whole one',
    async (name) => {
      const whole = builtinKernel(name, open);
      const expected = await multiply({ kernel: whole, plan: whole.plan(shape, flat), operands: { a, b } });
      for (const tail of inShort(['mask', 'pad'], 2)) {
        const cut = builtinKernel(name, within(4 * 1500));
        const found = await multiply({
          kernel: cut,
          plan: cut.plan(shape, { ...flat, tail }),
          operands: { a, b },
        });
        expect(found.c).toEqual(expected.c);
        expect(found).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
      }
    },
  );

  test('of levels is refused, with the largest that fits', () => {
    const kernel = builtinKernel('strassen:naive', within(4 * 1500));
    const multiplied = multiply({
      kernel,
      plan: kernel.plan(shape, { ...flat, levels: 1 }),
      operands: { a, b },
    });
    return expect(multiplied).rejects.toThrow(
      /needs \d+ bytes for A, .*: square products fit up to n = 34, in multiples of 2\.$/,
    );
  });

  test('of rows that do not fit either is refused', () => {
    const kernel = builtinKernel('classical:naive', within(4 * (2 * GUARDS + 80)));
    const long = { m: 3, k: 100, n: 5 };
    const pair = uniform.generate({ ...long, seed: 3 });
    const multiplied = multiply({ kernel, plan: kernel.plan(long, flat), operands: pair });
    return expect(multiplied).rejects.toThrow(/for a row of A.*: square products fit up to n = 64\.$/);
  });
});

test('panels become smaller where the device is out of memory', async () => {
  const shape = { m: 4096, k: 512, n: 2048 };
  const kernel = builtinKernel('classical:naive', open);
  const plan = kernel.plan(shape, flat);
  const empty = (rows: number, cols: number) => matrix(rows, cols, new Float32Array(rows * cols));
  const [a, b] = [empty(4096, 512), empty(512, 2048)];
  const asked: number[] = [];
  const compute = async ({ a: { rows }, b: { cols } }: DeviceJob): Promise<Product> => {
    asked.push(rows * cols);
    if (rows * cols > 2 ** 21) throw outOfGpuMemory({ kernel: 'x', step: 'y', why: 'Full.' });
    const data = new Float32Array(rows * cols).fill(rows);
    return {
      c: { rows, cols, data },
      unwritten: 1,
      overwritten: 0,
      changed: undefined,
      seconds: 1,
    };
  };
  const job = { ...(kernel.executable?.(plan) as Executable), a, b };
  const { product, parts } = await inPanels(open, job, compute);
  expect(asked[0]).toBe(4096 * 2048);
  const panels = asked.slice(asked.findLastIndex((size) => size > 2 ** 21) + 1);
  expect(panels.reduce((sum, size) => sum + size)).toBe(4096 * 2048);
  expect(parts).toHaveLength(panels.length);
  expect(product).toMatchObject({
    unwritten: panels.length,
    seconds: panels.length,
    changed: undefined,
  });
});

test('panels are as few as fit, even, and of whole tiles', () => {
  const tile = { m: 128, k: 16, n: 128 };
  const half = 2 ** 31 - 4;
  expect(panelsFor({ m: 32768, k: 32768, n: 32768 }, tile, 1, half)).toEqual({ rows: 11008, cols: 11008 });
  expect(panelsFor({ m: 100, k: 1000, n: 5 }, tile, 1, 4 * 11_000)).toEqual({ rows: 10, cols: 5 });
});
