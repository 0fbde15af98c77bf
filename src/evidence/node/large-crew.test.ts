import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../../base/random.ts';
import { exactProduct } from '../../exact/exact.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { type GivenProduct, givenJob } from '../given-product.ts';
import { weighLargeBy } from '../large.ts';
import { type OpenCrew, openLargeCrew } from './large-crew.ts';

const [m, k, n, batch] = [300, 16, 250, 2];
const random = createRandom(11, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform01() - 0.5),
  );

const [a, b, c] = [drawn(batch * m, k), drawn(k, n), drawn(batch * m, n)];
const product = matrix(batch * m, n, Float32Array.from(exactProduct(a, b).product.data));
const wrong = { ...product, data: product.data.map((x, e) => (e === 3 * n + 5 ? x + 1 : x)) };
const holed = { ...a, data: a.data.map((x, e) => (e === 7 ? Number.NaN : x)) };
const given: GivenProduct = { a, b, c, d: wrong, batch, seed: 5 };

/** Weighs a product by a crew. */
async function weighed(more: Partial<GivenProduct>, crew: OpenCrew, precision = more.precision ?? 'f32') {
  const all = { ...given, ...more };
  const job = givenJob(all, builtinCaseItems);
  const arithmetic = { precision, claims: all.claims ?? {}, holdsOperands: job.holdsOperands };
  const { reference, analysis, projection, judgedBy, errors } = await weighLargeBy(
    (large) => crew.judge(large, arithmetic),
    job,
    [{ c: all.d, unwritten: 0, overwritten: 0 }],
  );
  return { reference, analysis, projection, judgedBy, errors };
}

const [alone, ...crews] = [1, 2, 3].map((count) => openLargeCrew(count, 0));
afterAll(() => Promise.all(crews.map((crew) => crew.close())));

it.each<[string, Partial<GivenProduct>]>([
  ['operands that nothing rounds, in memory that threads read', { a: shared(a), b: shared(b) }],
  [
    'rounded operands, alpha, beta and an order',
    { precision: 'bf16-f32', alpha: 0.5, beta: -2, claims: { order: 'pairwise' } },
  ],
  ['a fast algorithm with NaN', { claims: { algorithm: 'strassen', levels: 1 }, a: holed }],
])('one, two and three threads find the same: %s', async (_, more) => {
  const expected = await weighed(more, alone);
  expect(expected.reference.at?.length).toBeGreaterThan(1000);
  for (const crew of crews) expect(await weighed(more, crew)).toEqual(expected);
});

it('says how a thread ended, and starts others', async () => {
  const [crew] = crews;
  await expect(weighed({}, crew, 'none')).rejects.toMatchObject({ code: 'reference-stopped' });
  expect((await weighed({}, crew)).errors).toEqual((await weighed({}, alone)).errors);
});

function shared({ rows, cols, data }: Matrix): Matrix {
  const copy = new Float32Array(new SharedArrayBuffer(data.byteLength + 64), 64);
  copy.set(data);
  return { rows, cols, data: copy };
}
