import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inShort, isWhole, itWhole } from '../../base/in-short.testing.ts';
import { oracleOn } from '../../evidence/oracle.ts';
import { exactProduct } from '../../exact/exact.ts';
import { listPasses } from '../../exact/slices.ts';
import { findInput } from '../../inputs/inputs.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { precisions } from '../../precision/precisions.ts';
import { openNodeDevice } from '../node/open.ts';
import { chooseCrossing, exactProductOnGpu, type GpuExactOptions } from './exact-on-gpu.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const onGpu = (a: Matrix, b: Matrix, options: Partial<GpuExactOptions> = {}, on = open) =>
  exactProductOnGpu(on, a, b, { cpu: exactProduct, ...options });

function pairOf(input: string, [m, k, n]: readonly number[], precision: string = 'f32') {
  return findInput(input).generate({ m, k, n, seed: 3, levels: 0, precision: precisions.find(precision) });
}

/** Counts the entries whose value differs in a bit, or whose remainder differs by more than the CPU's certificate allows. */
function different(found: Awaited<ReturnType<typeof onGpu>>, a: Matrix, b: Matrix): number {
  const { product, low, certificate } = exactProduct(a, b);
  return product.data.filter((value, e) => {
    const apart = Math.abs(found.low[e] - low[e]);
    return (
      !Object.is(found.product.data[e], value) ||
      !(apart <= certificate.worstAbsolute + 2 ** -52 * Math.abs(low[e]))
    );
  }).length;
}

describe('is the exact product', () => {
  test.each(
    inShort(
      [
        ['uniform', 'f32', [33, 65, 17], [4, 4]],
        ['uniform', 'f64', [5, 7, 3], [7, 7]],
        ['uniform', 'f16', [1, 1, 1], [2, 2]],
        ['integers', 'f32', [65, 3, 40], [2, 2]],
        ['inverse-pair', 'f32', [8, 8, 8], undefined],
        ['wide-exponents', 'f32', [9, 130, 7], undefined],
        ['wide-exponents', 'f64', [9, 13, 7], undefined],
        ['ill-conditioned', 'f32', [16, 16, 16], undefined],
        ['subnormals', 'f32', [12, 5, 9], undefined],
        ['special-values', 'f32', [20, 12, 19], undefined],
      ] as const,
      3,
    ),
  )('of %s in %s, %j', async (input, precision, shape, slices) => {
    const { a, b } = pairOf(input, shape, precision);
    const found = await onGpu(a, b);
    expect(different(found, a, b)).toBe(0);
    expect(found.certificate.entries).toBe(a.rows * b.cols);
    if (slices !== undefined) expect(found.gpu).toMatchObject({ slices, cpuRows: 0, cpuCols: 0 });
  });

  itWhole('staged in workgroup memory', async () => {
    const { a, b } = pairOf('uniform', [70, 50, 130]);
    const found = await onGpu(a, b, { by: 'dot-staged' });
    expect(different(found, a, b)).toBe(0);
    expect(found.gpu.by).toBe('dot4I8Packed, staged');
  });

  itWhole('in panels, where buffers hold little', async () => {
    const { a, b } = pairOf('wide-exponents', [100, 40, 90]);
    const little = { ...open, limits: { ...limitsOf(open.limits), maxStorageBufferBindingSize: 50_000 } };
    const found = await onGpu(a, b, {}, little);
    expect(different(found, a, b)).toBe(0);
    expect(found.gpu.panels).toBeGreaterThan(3);
  });

  test('where lines have exponents too far apart or special values: the CPU computes them', async () => {
    const { a, b } = pairOf('uniform', [6, 8, 5]);
    a.data[3] = 2 ** 127;
    a.data[4] = 2 ** -120;
    a.data[17] = Number.NaN;
    b.data[2] = Number.POSITIVE_INFINITY;
    const found = await onGpu(a, b);
    expect(different(found, a, b)).toBe(0);
    expect(found.gpu).toMatchObject({ cpuRows: 2, cpuCols: 1 });
    expect(found.certificate).toMatchObject({ entries: 30, byBigInt: 4 * 4 });
  });

  itWhole('where everything cancels but the last bit', async () => {
    const a = matrix(1, 4, Float32Array.of(2 ** 30, 1, -(2 ** 30), 2 ** -20));
    const b = matrix(4, 1, Float32Array.of(2 ** 30, 2 ** -20, 2 ** 30, 1));
    const { product, low } = await onGpu(a, b);
    expect([product.data[0], low[0]]).toEqual([2 ** -19, 0]);
  });

  test('whose low is what is left, correctly rounded, where the CPU’s is so to its certificate', async () => {
    const Exact = Decimal.clone({ precision: 400, toExpNeg: -1000 });
    const exact = (x: number) => {
      const unit = x === 0 ? 0 : Math.floor(Math.log2(Math.abs(x))) - 52;
      return new Exact(x * 2 ** -unit).times(new Exact(2).pow(unit));
    };
    const { a, b } = pairOf('wide-exponents', [5, 40, 6], 'f64');
    const found = await onGpu(a, b);
    const cpu = exactProduct(a, b);
    expect(found.gpu).toMatchObject({ cpuRows: 0, cpuCols: 0 });
    let apart = 0;
    for (let e = 0; e < 30; e++) {
      let rest = exact(-found.product.data[e]);
      for (let p = 0; p < 40; p++) {
        rest = rest.plus(exact(a.data[Math.floor(e / 6) * 40 + p]).times(exact(b.data[p * 6 + (e % 6)])));
      }
      expect(found.low[e]).toBe(rest.toNumber());
      apart = Math.max(apart, Math.abs(cpu.low[e] - found.low[e]));
    }
    expect(apart).toBeGreaterThan(0);
    expect(apart).toBeLessThanOrEqual(2 * cpu.certificate.worstAbsolute);
  });

  itWhole('rounded to nearest, ties to even, with what is left', async () => {
    const ends = [2 ** -53, 3 * 2 ** -53, 2 ** -53 + 2 ** -60, -(2 ** -54)];
    const a = matrix(1, 2, Float64Array.of(1, 1));
    const b = matrix(2, 4, Float64Array.of(1, 1, 1, 1, ...ends));
    const { product, low } = await onGpu(a, b);
    const u = 2 ** -53;
    expect([...product.data]).toEqual([1, 1 + 4 * u, 1 + 2 * u, 1]);
    expect([...low]).toEqual([u, -u, -u + 2 ** -60, -(u / 2)]);
  });
});

/** Builds operands whose sum over k would overflow an i32 in a single pass: every product of digits is 2^14. */
function longest(k: number) {
  const a = matrix(1, k, new Float32Array(k).fill(-128));
  const b = matrix(k, 1, new Float32Array(k).fill(-128));
  a.data[0] = 1;
  b.data[0] = 1;
  return { a, b, exact: 1 + (k - 1) * 2 ** 14 };
}

test.runIf(isWhole)('sums of the largest digits do not overflow, however long', async () => {
  const { a, b, exact } = longest(2 ** 17 + 1);
  expect((await onGpu(a, b)).product.data[0]).toBe(exact);
});

describe('a planted fault is seen', () => {
  const disagrees = expect.objectContaining({
    name: 'ReferenceFault',
    message: expect.stringMatching(
      / on SwiftShader .* on the CPU\. Do not use this device for exact products/,
    ),
  });

  itWhole('a pass of all k overflows', async () => {
    const { a, b } = longest(2 ** 17 + 1);
    const all: typeof listPasses = (s, t, words, step) => listPasses(s, t, words, step, 2 ** 21);
    await expect(onGpu(a, b, { schedule: all })).rejects.toEqual(disagrees);
  });

  test.each([0, 2, 4])('diagonal %d is left out', async (left) => {
    const { a, b } = pairOf('uniform', [5, 7, 3]);
    const some: typeof listPasses = (...given) =>
      listPasses(...given).filter(({ diagonal }) => diagonal !== left);
    await expect(onGpu(a, b, { schedule: some })).rejects.toEqual(disagrees);
  });

  test('a pass is counted twice', async () => {
    const { a, b } = pairOf('uniform', [5, 7, 3]);
    const twice: typeof listPasses = (...given) => [...listPasses(...given), listPasses(...given)[0]];
    await expect(onGpu(a, b, { schedule: twice })).rejects.toEqual(disagrees);
  });
});

test('a row that the CPU alone computed, and that is NaN, is found out', async () => {
  const { a, b } = pairOf('uniform', [300, 5, 3]);
  const checked = chooseCrossing({ m: 300, k: 5, n: 3 }, 1);
  const unchecked = Array.from({ length: 300 }, (_, i) => i).find((i) => !checked.rows.includes(i));
  a.data[5 * (unchecked ?? 0)] = 2 ** 120;
  const cpu = (x: Matrix, y: Matrix) => {
    const made = exactProduct(x, y);
    if (x.rows === 1) made.product.data.fill(Number.NaN);
    return made;
  };
  const found = expect.objectContaining({ name: 'ReferenceFault' });
  expect((await onGpu(a, b)).gpu).toMatchObject({ checked, cpuRows: 1 });
  await expect(onGpu(a, b, { cpu })).rejects.toEqual(found);
});

test.each([
  [5, 7, 3, 5, 3],
  [0, 7, 3, 0, 3],
  [16384, 16384, 16384, 256, 256],
  [2 ** 20, 2 ** 22, 8, 32, 8],
])('entries of %i×%i×%i are compared in %i rows and %i columns', (m, k, n, height, width) => {
  const { rows, cols } = chooseCrossing({ m, k, n }, 1);
  const ascending = (x: number, y: number) => x - y;
  expect([new Set(rows).size, new Set(cols).size]).toEqual([height, width]);
  expect([rows, cols]).toEqual([rows.toSorted(ascending), cols.toSorted(ascending)]);
  expect(Math.max(-1, ...rows)).toBeLessThan(m);
  expect(Math.max(...cols)).toBeLessThan(n);
});

test('names that are not known, and matrices that do not fit', async () => {
  const { a, b } = pairOf('uniform', [5, 7, 3]);
  await expect(onGpu(a, b, { by: 'matrix' })).rejects.toMatchObject({ code: 'unknown-name' });
  const tiny = { ...open, limits: { ...limitsOf(open.limits), maxStorageBufferBindingSize: 200 } };
  await expect(onGpu(a, b, {}, tiny)).rejects.toMatchObject({ code: 'too-large' });
});

/** Copies the limits that panels depend on: on a device they are getters. */
function limitsOf({ maxBufferSize, maxStorageBufferBindingSize }: typeof open.limits): typeof open.limits {
  return { maxBufferSize, maxStorageBufferBindingSize } as typeof open.limits;
}

describe('the oracle', () => {
  const hardware = { ...open, fingerprint: { ...open.fingerprint, kind: 'hardware' as const } };
  const { now } = performance;
  let ahead = 0;
  beforeAll(() => {
    performance.now = () => now.call(performance) + ahead;
  });
  afterAll(() => {
    performance.now = now;
  });
  /** Advances the mocked clock by a minute, at hardly any real cost, for all products but those of a few rows. */
  const slowly = (a: Matrix, b: Matrix) => {
    if (a.rows * b.cols >= 2 ** 12) ahead += 60_000;
    return exactProduct(a, b);
  };

  test('keeps small products and software adapters to the CPU', async () => {
    const said: string[] = [];
    const { a, b } = pairOf('uniform', [5, 7, 3]);
    const all = { cpu: exactProduct, say: (sentence: string) => said.push(sentence) };
    await oracleOn({ ...all, device: () => hardware })(a, b);
    const software = oracleOn({ ...all, device: () => open, from: 0 });
    expect(different({ ...(await software(a, b)) } as never, a, b)).toBe(0);
    expect(await software.reaches(a, b)).toBe(false);
    expect(await oracleOn({ ...all, device: () => undefined, from: 0 }).reaches(a, b)).toBe(false);
    expect(said).toEqual([]);
  });

  itWhole('takes the GPU where it is faster, and says so', async () => {
    const said: string[] = [];
    const { a, b } = pairOf('uniform', [5, 7, 3]);
    const oracle = oracleOn({
      device: () => hardware,
      cpu: slowly,
      say: (text) => said.push(text),
      from: 0,
      trial: 64,
    });
    expect(different({ ...(await oracle(a, b)) } as never, a, b)).toBe(0);
    expect(await oracle.reaches(a, b)).toBe(true);
    const wide = matrix(1, 2, Float32Array.of(2 ** 100, 2 ** -100));
    expect(await oracle.reaches(wide, matrix(2, 1, Float32Array.of(1, 1)))).toBe(false);
    expect(said).toEqual([
      expect.stringMatching(
        /^The exact product of 5×7 by 7×3 was computed on SwiftShader.*, by dot4I8Packed.*\. Its 15 checked entries equal the CPU's bit for bit\.$/,
      ),
    ]);
  });
});
