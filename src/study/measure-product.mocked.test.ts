import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinKernel } from '../kernels/builtin.ts';
import { multiply } from '../kernels/kernel.ts';
import { caseOf, changeCase } from '../problem/case.ts';
import { productMeasurer } from './node/measure-study.ts';

// Products here are so small that sums in binary32 equal those in binary64. So a mock takes their place.
const IN_SINGLE = 42;
vi.mock('./mean-in-single.ts', () => ({ meanInSingle: () => 42 }));

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const value = (kernel: string, levels: number) => caseOf({ kernel, levels, m: 24, k: 24, n: 24, seed: 3 });

test('a difference is taken from the classical product of the device, over its mean size', async () => {
  const measure = productMeasurer(() => open, exactProduct);
  const [plain, fast] = [value('classical:register', 0), value('strassen:register', 1)];
  const first = await measure({ case: fast, against: 'classical', sums: 'f64', series: false });
  const exact = await measure({ case: plain, against: 'exact', sums: 'f64', series: false });
  const again = await measure({ case: fast, against: 'classical', sums: 'f64', series: false });
  const { a, b } = findInput('uniform').generate({ m: 24, k: 24, n: 24, seed: 3 });
  const products = await Promise.all(
    [plain, fast].map(async (one) => {
      const kernel = builtinKernel(one.kernel, open);
      return (await multiply({ kernel, plan: kernel.plan(one.problem, one.method), operands: { a, b } })).c
        .data;
    }),
  );
  const [c, s] = products.map((data) => Array.from(data));
  const size = c.reduce((sum, x) => sum + Math.abs(x), 0) / c.length;
  const apart = c.map((x, e) => Math.abs(s[e] - x) / size);
  expect(first.readings.max).toBeCloseTo(Math.max(...apart), 18);
  expect(first.readings.mean).toBeCloseTo(apart.reduce((sum, x) => sum + x, 0) / apart.length, 18);
  expect(again).toEqual({ ...first, facts: { ...first.facts, seconds: expect.any(Number) } });
  expect(first.facts.ideal).toBeUndefined();
  expect(exact.readings).toEqual({
    max: exact.facts.exact?.normalizedMax,
    mean: exact.facts.exact?.normalizedMean,
  });
});

test('the inverse pair is read against the identity, absolute, its mean summed in binary32', async () => {
  const measure = productMeasurer(() => open, exactProduct);
  const inverse = changeCase(value('classical:register', 0), { input: 'inverse-pair' });
  const product = { case: inverse, against: 'ideal', series: true } as const;
  const { readings, facts } = await measure({ ...product, sums: 'f32' });
  expect(readings).toEqual({ max: facts.ideal?.maxError, mean: IN_SINGLE });
  const { readings: usual } = await measure({ ...product, sums: 'f64' });
  expect(usual).toEqual({ max: readings.max, mean: facts.ideal?.meanError });
  expect(facts).toMatchObject({ equalsModel: true, runningBound: { used: expect.any(Number) } });
});
