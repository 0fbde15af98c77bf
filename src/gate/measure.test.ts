import { expect, test } from 'vitest';
import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { emulated } from '../formats/arithmetic.ts';
import { uniform } from '../inputs/uniform.ts';
import { mirrorKernel } from '../kernel/mirror-kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import { exactProduct } from '../reference/exact.ts';
import { measureBy, yardstickOf } from './measure.ts';

const pair = uniform.generate({ m: 9, k: 8, n: 7, levels: 0, seed: 1 });
const oracle = (far: boolean) =>
  Object.assign((a: Matrix, b: Matrix) => exactProduct(a, b), { reaches: async () => far });

test('a product too large for the CPU is compared whole where the exact product reaches it', async () => {
  const whole = await yardstickOf(pair, oracle(true), 1, 100);
  expect(whole).toMatchObject({ sample: { fraction: 1, cols: [] }, far: true });
  expect(whole.sample.rowValues).toEqual(exactProduct(pair.a, pair.b).product);
  const sizes = absoluteProduct(pair.a, pair.b);
  whole.rowSizes.forEach((size, e) => {
    expect(Math.abs(size / sizes[e] - 1)).toBeLessThan(2 ** -48);
  });
  const kernel = mirrorKernel('classical', emulated('f32'));
  const plan = kernel.plan({ m: 9, k: 8, n: 7 }, { levels: 0, border: 'pad', edge: 'guard' });
  const measured = await measureBy(kernel, plan, whole);
  expect(measured).toMatchObject({ checked: 1, readers: undefined, exact: { entries: 63 } });
  const near = await measureBy(kernel, plan, await yardstickOf(pair, oracle(true), 1));
  expect(near.readers).toMatchObject({ mirrorEqual: true });
  expect(measured.exact.max).toBe(near.exact.max);
});

test('elsewhere it is sampled', async () => {
  expect(await yardstickOf(pair, oracle(false), 1, 100)).toMatchObject({ far: true });
  expect(await yardstickOf(pair, exactProduct, 1, 100)).toMatchObject({ far: true });
});
