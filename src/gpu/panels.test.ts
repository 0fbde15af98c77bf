import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uniform } from '../inputs/uniform.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import type { Manner } from '../kernel/kernel.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import type { Execution } from './execution.ts';
import { GUARDS } from './guards.ts';
import { openNodeDevice } from './node/open.ts';
import { single } from './numerics/single.ts';
import { multiplyInPanels, panelsFor } from './panels.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const flat: Manner = { levels: 0, border: 'pad', edge: 'guard' };

/** The device with a smaller limit. */
const within = (bytes: number): OpenDevice => ({
  ...open,
  limits: new Proxy(open.limits, {
    get: (limits, key) => (key === 'maxBufferSize' ? bytes : Reflect.get(limits, key, limits)),
  }),
});

describe('a product too large for a buffer', () => {
  const shape = { m: 45, k: 33, n: 70 };
  const { a, b } = uniform.generate({ ...shape, seed: 3 });

  test.each(['classical:register', 'classical:naive'])('%s has the bits of the whole one', async (name) => {
    const whole = builtinKernel(name, open);
    const expected = await whole.multiply(a, b, whole.plan(shape, flat));
    for (const edge of ['guard', 'pad'] as const) {
      const cut = builtinKernel(name, within(4 * 1500));
      const found = await cut.multiply(a, b, cut.plan(shape, { ...flat, edge }));
      expect(found.c).toEqual(expected.c);
      expect(found).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
    }
  });

  test('of levels is refused, with the largest that fits', () => {
    const kernel = builtinKernel('strassen:naive', within(4 * 1500));
    const multiplied = kernel.multiply(a, b, kernel.plan(shape, { ...flat, levels: 1 }));
    return expect(multiplied).rejects.toThrow(
      /needs \d+ bytes for A, .*: square products fit up to n = 34, in multiples of 2\.$/,
    );
  });

  test('of rows that do not fit either is refused', () => {
    const kernel = builtinKernel('classical:naive', within(4 * (2 * GUARDS + 80)));
    const long = { m: 3, k: 100, n: 5 };
    const pair = uniform.generate({ ...long, seed: 3 });
    const multiplied = kernel.multiply(pair.a, pair.b, kernel.plan(long, flat));
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
  const run = async (rows: number, cols: number): Promise<Execution> => {
    asked.push(rows * cols);
    if (rows * cols > 2 ** 21) throw problem('out-of-gpu-memory', { kernel: 'x', step: 'y', why: 'Full.' });
    const data = new Float32Array(rows * cols).fill(rows);
    return {
      c: { rows, cols, data },
      unwritten: 1,
      guardsTouched: 0,
      operandsChanged: undefined,
      seconds: 1,
    };
  };
  const planFor = (shape: Shape) => kernel.plan(shape, flat);
  const cut = { plan, planFor, numeric: single, tile: { m: 8, k: 1, n: 8 }, kernel: 'x' };
  const { execution, parts } = await multiplyInPanels(open, cut, [a, b], (a, b) => run(a.rows, b.cols));
  expect(asked[0]).toBe(4096 * 2048);
  const panels = asked.slice(asked.findLastIndex((size) => size > 2 ** 21) + 1);
  expect(panels.reduce((sum, size) => sum + size)).toBe(4096 * 2048);
  expect(parts).toHaveLength(panels.length);
  expect(execution).toMatchObject({
    unwritten: panels.length,
    seconds: panels.length,
    operandsChanged: undefined,
  });
});

test('panels are as few as fit, even, and of whole tiles', () => {
  const tile = { m: 128, k: 16, n: 128 };
  const half = 2 ** 31 - 4;
  expect(panelsFor({ m: 32768, k: 32768, n: 32768 }, tile, 1, half)).toEqual({ rows: 11008, cols: 11008 });
  expect(panelsFor({ m: 100, k: 1000, n: 5 }, tile, 1, 4 * 11_000)).toEqual({ rows: 10, cols: 5 });
});
