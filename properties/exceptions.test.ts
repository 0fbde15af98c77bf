import { afterAll, describe } from 'vitest';
import { exactProduct } from '../src/exact/exact.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import { cases, expand, noLevels } from './arbitraries.ts';
import { expectSameBits } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';
import { classicalNames } from './leaf-names.ts';

/**
 * The law: in classical products without recursion, NaN and infinities are where IEEE 754 puts them and nowhere else.
 *
 * Why: entry (i, j) is a sum of products of row i of A and column j of B alone. An infinity or NaN among these decides
 * it by IEEE's rules, in any order of summation, as no finite partial sum overflows and no infinity meets a number
 * that may be flushed to 0. WGSL lets a device compute NaN and infinities its own way; one that does still
 * has to keep them out of the rows and columns that have none.
 */
const gpu = await openGpu();
const { exceptions: followsIeee } = gpu.open.arithmetic;

const LEAVES = classicalNames(gpu.open);
const specials = cases({ kernels: LEAVES, inputs: ['special-values'], levels: noLevels, largest: 70 });

/** Keeps NaN and infinities, and replaces every finite number by 0. */
function exceptionsOf(x: Matrix): Matrix {
  return matrix(
    x.rows,
    x.cols,
    Float32Array.from(x.data, (value) => (Number.isFinite(value) ? 0 : value)),
  );
}

const finite = (x: number) => (Number.isFinite(x) ? x : 0);

describe('NaN and infinities', () => {
  lawOfLongRuns('leave rows and columns without them untouched', 75, specials, async (value) => {
    const { a, b } = expand(value);
    const {
      problem: { m, k, n },
    } = value;
    const rowIsFinite = Array.from({ length: m }, (_, i) =>
      a.data.subarray(i * k, i * k + k).every(Number.isFinite),
    );
    const columnIsFinite = Array.from({ length: n }, (_, j) =>
      Array.from({ length: k }, (_, t) => b.data[t * n + j]).every(Number.isFinite),
    );
    const product = await gpu.multiply(value, a, b);
    const without = await gpu.multiply(
      value,
      { ...a, data: a.data.map(finite) },
      { ...b, data: b.data.map(finite) },
    );
    const clean = (x: Matrix): Matrix => ({
      ...x,
      data: Float32Array.from(x.data, (entry, e) =>
        rowIsFinite[Math.floor(e / n)] && columnIsFinite[e % n] ? entry : 0,
      ),
    });
    expectSameBits(clean(product), clean(without));
  });

  if (followsIeee) {
    law('are where IEEE 754 puts them', 75, specials, async (value) => {
      const { a, b } = expand(value);
      const expected = exactProduct(a, b).product;
      expectSameBits(exceptionsOf(await gpu.multiply(value, a, b)), exceptionsOf(expected));
    });
  } else {
    afterAll(() => {
      console.log(
        `${gpu.open.fingerprint.name} computes NaN and infinities its own way: not held to IEEE 754.`,
      );
    });
  }
});
