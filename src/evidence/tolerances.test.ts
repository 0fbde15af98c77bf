import { expect, it } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { type Matrix, zerosF64 } from '../matrix/dense.ts';
import { givenJob, modelProduct } from './given-product.ts';
import { type Tolerances, tolerancesOf } from './tolerances.ts';

const N = 24;

/** Returns the tolerances of sums of k uniform terms, and the model's product with the exact one. */
async function found(precision: string, k: number): Promise<Tolerances & { d: Matrix; exact: Float64Array }> {
  const of = builtinCaseItems.precisions.find(precision);
  const pair = findInput('uniform').generate({ m: N, k, n: N, seed: 5, precision: of });
  const rounded = (x: Matrix) => ({ ...x, data: x.data.map(of.multiplied.round) });
  const [a, b] = [rounded(pair.a), rounded(pair.b)];
  const job = givenJob({ a, b, d: zerosF64(N, N), precision, isRandom: true }, builtinCaseItems);
  const model = await modelProduct(job, exactProduct);
  const { outcomes, reference } = model.evidence;
  return { ...tolerancesOf(model, 6), d: outcomes[0].c, exact: reference.value };
}

it.each([
  ['f32', 64],
  ['f32', 1000],
  ['f64', 100],
  ['f16-f32', 128],
  ['bf16-f32-bf16', 128],
  ['f16-f32-f16', 500],
])(
  'the fitting tolerance of %s at k = %i holds for the bit-exact model, and is not much wider',
  async (precision, k) => {
    const { fitting, d, exact, sigma, limit, bound, entries } = await found(precision, k);
    const used = exact.map((x, e) => Math.abs(d.data[e] - x) / (fitting.atol + fitting.rtol * Math.abs(x)));
    expect(Math.max(...used)).toBeLessThanOrEqual(1);
    // Matrix units may truncate, which the model of f16-f32 does not.
    expect(Math.max(...used)).toBeGreaterThan(0.01);
    expect(entries).toBe(N * N);
    expect(sigma.median).toBeLessThan(limit.median);
    expect(limit.largest).toBeLessThanOrEqual(bound.largest * 1.01);
  },
);

it('results that are narrower than sums need a relative part', async () => {
  expect((await found('f32', 64)).fitting.rtol).toBe(0);
  expect((await found('bf16-f32-bf16', 64)).fitting.rtol).toBe(2 ** -8);
});

it('known tolerances are too strict or too loose by what they are', async () => {
  const { known, fitting, limit } = await found('f32', 1000);
  const by = Object.fromEntries(known.map((one) => [one.name, one]));
  expect(by['numpy.allclose, torch.allclose'].failing).toBeGreaterThan(0);
  const wide = by['rtol = atol = 1e-2'];
  expect(wide.failing).toBe(0);
  expect(wide.loose).toBeGreaterThan(0.01 / limit.largest);
  expect(wide.loose).toBeLessThan(0.2 / limit.median);
  expect(fitting.atol).toBeLessThan(wide.atol);
  expect((await found('f16', 20)).known.map(({ name }) => name)).toContain('torch.testing.assert_close');
  expect((await found('f32x2', 20)).known.map(({ name }) => name)).not.toContain(
    'torch.testing.assert_close',
  );
});
