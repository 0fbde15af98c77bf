import { expect, test } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { absoluteProduct } from '../exact/sizes.ts';
import { uniform } from '../inputs/uniform.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { Evaluator } from './evaluate.ts';
import { type ComparisonEffort, measured, referenceOf } from './reference.ts';

const pair = uniform.generate({ m: 9, k: 8, n: 7, levels: 0, seed: 1 });
const oracle = (far: boolean) =>
  Object.assign((a: Matrix, b: Matrix) => exactProduct(a, b), { reaches: async () => far });

const small = { ...measured, whole: 100, analysis: 100 };

test('a product too large for the CPU is compared whole where the exact product reaches it', async () => {
  const whole = await referenceOf(pair, oracle(true), small);
  expect(whole).toMatchObject({ checked: 1 });
  expect(whole.at).toBeUndefined();
  expect(whole.value).toEqual(exactProduct(pair.a, pair.b).product.data);
  const sizes = absoluteProduct(pair.a, pair.b);
  whole.size.forEach((size, e) => {
    expect(Math.abs(size / sizes[e] - 1)).toBeLessThan(2 ** -48);
  });
  const kernel = modelKernel('classical', singleComputation(emulated));
  const plan = kernel.plan({ m: 9, k: 8, n: 7 }, { levels: 0, fringe: 'pad', tail: 'mask' });
  const evidenceBy = (effort: ComparisonEffort) =>
    new Evaluator(oracle(true), { effort }).evaluate({ kernel, plan, operands: pair });
  const far = await evidenceBy(small);
  expect(far.analysis).toBeUndefined();
  expect(far.errors.exact.entries).toBe(63);
  const near = await evidenceBy(measured);
  expect(near.analysis?.model).toEqual(near.outcomes[0].c);
  expect(near.errors.exact.max).toBe(far.errors.exact.max);
});

test('elsewhere it is sampled, and errors are those of the sample', async () => {
  const effort = { ...small, sample: 200 };
  for (const exact of [oracle(false), exactProduct]) {
    const { at, checked, value } = await referenceOf(pair, exact, effort);
    expect(checked).toBeLessThan(1);
    const places = Array.from(at ?? []);
    // Some whole rows, and the same columns in all others.
    const columns = Array.from({ length: 9 }, (_, i) =>
      places.filter((e) => Math.floor(e / 7) === i).map((e) => e % 7),
    );
    const whole = columns.filter((own) => own.length === 7);
    const others = columns.filter((own) => own.length < 7);
    expect(whole.length).toBeGreaterThan(0);
    expect(new Set(others.map(String)).size).toBe(1);
    expect(others[0].length).toBeGreaterThan(0);
    expect(new Set(places).size).toBe(places.length);
    const all = exactProduct(pair.a, pair.b).product.data;
    expect(Array.from(value)).toEqual(places.map((e) => all[e]));
  }
  const kernel = modelKernel('classical', singleComputation(emulated));
  const plan = kernel.plan({ m: 9, k: 8, n: 7 }, { levels: 0, fringe: 'pad', tail: 'mask' });
  const evidence = await new Evaluator(exactProduct, { effort }).evaluate({ kernel, plan, operands: pair });
  expect(evidence.errors.exact.entries).toBe(Math.round(63 * evidence.reference.checked));
});
