import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import type { Lend } from '../exact/exact-product.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { memberOf } from '../matrix/members.ts';
import { compareEntries } from './entry-errors.ts';
import { type GivenProduct, givenJob } from './given-product.ts';
import { analysisOf } from './weigh.ts';
import { wholeReference } from './whole-reference.ts';

const [m, k, n, batch] = [7, 40, 9, 2];

/** Returns a random product of a batch. @param largest size of the entries of A */
function drawn(largest: number, more: Partial<GivenProduct> = {}) {
  const random = createRandom(5, 1);
  const entries = (rows: number, cols: number, size: number) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, () => (random.uniform01() - 0.3) * size),
    );
  const [a, b, c, d] = [
    entries(batch * m, k, largest),
    entries(batch * k, n, 1),
    entries(batch * m, n, 1),
    entries(batch * m, n, 1),
  ];
  return givenJob({ a, b, c, d, batch, ...more }, builtinCaseItems);
}

describe('every entry has the errors that a walk of the plan finds', () => {
  it.each<Partial<GivenProduct>>([
    {},
    { alpha: -0.5 },
    { alpha: 1.5, beta: 2 },
    { alpha: 0, beta: 1 },
    { claims: { order: 'pairwise' } },
    { claims: { order: 'signs-apart' } },
    { claims: { algorithm: 'strassen', levels: 1 } },
    { precision: 'f16-f32' },
  ])('of %j', async (more) => {
    const job = drawn(1, more);
    const { reference, analysis } = await compareEntries(job, exactProduct);
    expect(reference).toEqual(wholeReference(job.operands, job.gemm));
    const walked = analysisOf(job);
    for (const name of ['bound', 'sigma'] as const) {
      const ratios = analysis[name].data.map((x, e) => x / walked[name].data[e]);
      expect(Math.min(...ratios)).toBeGreaterThan(name === 'bound' ? 1 - 2 ** -45 : 0.999);
      expect(Math.max(...ratios)).toBeLessThan(1.001);
    }
  });

  it('of a batch whose exact products are lent', async () => {
    const job = drawn(1);
    const all = { product: new Float64Array(m * n), low: new Float64Array(m * n) };
    const withMagnitudes = async (a: Matrix, b: Matrix) => {
      const { product, low, certificate } = exactProduct(a, b);
      all.product.set(product.data);
      all.low.set(low);
      return { product: { ...product, data: all.product }, low: all.low, certificate };
    };
    const lent = Object.assign((a: Matrix, b: Matrix) => exactProduct(a, b), { withMagnitudes });
    expect((await compareEntries(job, lent)).reference).toEqual(wholeReference(job.operands, job.gemm));
  });

  it('in memory that is lent, whatever it holds', async () => {
    for (const more of [{}, { alpha: -0.5, beta: 2 }, { claims: { order: 'signs-apart' } }] as const) {
      const { operands, kernel, plan, gemm } = drawn(1, more);
      const [a, b, c] = [operands.a, operands.b, operands.c as Matrix].map((x) => memberOf(x, x.rows / 2, 0));
      const job = { kernel, plan, operands: { ...operands, a, b, c }, gemm: { ...gemm, batch: 1 } };
      const lends = (lend?: Lend) => {
        const withMagnitudes = async (x: Matrix, y: Matrix) => ({ ...exactProduct(x, y), lend });
        return Object.assign((x: Matrix, y: Matrix) => exactProduct(x, y), { withMagnitudes });
      };
      const lent = await compareEntries(
        job,
        lends((entries) => new Float64Array(entries).fill(Number.NaN)),
      );
      expect(lent).toEqual(await compareEntries(job, lends()));
    }
  });

  it('where sums may overflow, those of the very order of its terms', async () => {
    const job = drawn(3e38);
    expect((await compareEntries(job, exactProduct)).analysis).toEqual(analysisOf(job));
  });
});
