import { expect, test } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { corruptKernel } from '../kernels/tampered.testing.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import type { Excerpt } from './case-result.ts';
import { defaultThresholds } from './checks/check.ts';
import { Evaluator } from './evaluate.ts';
import type { Evidence } from './evidence.ts';
import { resultOf } from './result-of.ts';
import { excerptAround } from './shown.ts';

/** Evaluates a product with changes to some of its entries. */
async function wrongBy(text: string, changes: Readonly<Record<number, number>>) {
  const value = parseCase(text);
  const kernel = corruptKernel(
    modelKernel('classical', singleComputation({ ...emulated, fma: 'once' })),
    ({ c }) => {
      for (const [at, change] of Object.entries(changes)) c.data[Number(at)] += change;
    },
  );
  const evaluator = new Evaluator(exactProduct);
  const found = await evaluator.evaluate(await evaluator.prepare(value, kernel));
  return { found, result: await resultOf(value, kernel, found, defaultThresholds) };
}

const differences = (excerpt: Excerpt | undefined) => excerpt?.difference.flat().filter((x) => x !== 0);

test.each([
  ['in the middle', 4 * 10 + 5, 2, 3],
  ['in the first corner', 0, 0, 0],
  ['in the last corner', 89, 4, 5],
])('it lies around the worst entry, within the product: %s', async (_, at, row, col) => {
  const { result } = await wrongBy('kernel=classical;input=integers;m=9;k=11;n=10', { [at]: 64 });
  const { excerpt } = result;
  expect(excerpt).toMatchObject({ row, col });
  expect(excerpt?.found.map((line) => line.length)).toEqual([5, 5, 5, 5, 5]);
  expect(differences(excerpt)).toEqual([64]);
  const [i, j] = [Math.floor(at / 10) - row, (at % 10) - col];
  expect(Number(excerpt?.found[i][j]) - Number(excerpt?.expected[i][j])).toBe(64);
});

test('a small product is shown whole, and a right one not at all', async () => {
  const { result } = await wrongBy('kernel=classical;input=integers;m=1;k=3;n=2', { 1: -8 });
  expect(result.excerpt).toMatchObject({ row: 0, col: 0, difference: [[0, -8]] });
  const honest = await wrongBy('kernel=classical;input=integers;m=1;k=3;n=2', {});
  expect(honest.result.verdict).toBe('pass');
  expect(honest.result).not.toHaveProperty('excerpt');
  expect(honest.result).not.toHaveProperty('sinceBaseline');
});

test('of a batch, no entry of another product is shown', async () => {
  const { result } = await wrongBy('kernel=classical;input=integers;m=3;k=4;n=6;batch=3', { 18: 32 });
  expect(result.excerpt).toMatchObject({ row: 3, col: 0 });
  expect(result.excerpt?.found).toHaveLength(3);
});

test('of a sample, what was not compared is not known', async () => {
  const { found } = await wrongBy('kernel=classical;input=integers;m=2;k=3;n=3', { 4: 16 });
  const some = (all: Float64Array) => Float64Array.of(all[4], all[0]);
  const { value, low, size } = found.reference;
  const reference = {
    ...found.reference,
    ...{ value: some(value), low: some(low), size: some(size), at: Float64Array.of(4, 0) },
  };
  const { excerpt } = excerptAround.ask({ ...found, reference } as Evidence) ?? {};
  expect(excerpt?.difference).toEqual([
    [0, null, null],
    [null, 16, null],
  ]);
  expect(excerpt?.found.flat()).not.toContain(null);
});

test('an entry that is no number differs by no number', async () => {
  const { result } = await wrongBy('kernel=classical;input=integers;m=1;k=3;n=2', { 1: Number.NaN });
  expect(result.excerpt).toMatchObject({ difference: [[0, 'NaN']] });
  expect(result.excerpt?.found[0][1]).toBe('NaN');
});

test('a mean error is told in units of its baseline', async () => {
  const { found, result } = await wrongBy('kernel=classical;input=uniform;m=9;k=11;n=10', {});
  const mean = Number(result.exact?.meanError);
  const value = parseCase(result.case);
  const kernel = modelKernel('classical', singleComputation({ ...emulated, fma: 'once' }));
  const beside = (meanError: number) =>
    resultOf(value, kernel, found, { ...defaultThresholds, baseline: { maxError: 1, meanError } });
  expect((await beside(mean)).sinceBaseline).toBe(1);
  expect((await beside(mean / 1.5)).sinceBaseline).toBe(1.5);
  expect((await beside(0)).sinceBaseline).toBe('Infinity');
});
