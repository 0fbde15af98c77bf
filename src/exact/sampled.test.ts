import { describe, expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { exactProduct } from './exact.ts';
import { chooseSample, sampledProduct } from './sampled.ts';

const shape = { m: 40, k: 7, n: 60 };
const a = matrix(
  40,
  7,
  new Float32Array(280).map((_, at) => Math.sin(at)),
);
const b = matrix(
  7,
  60,
  new Float64Array(420).map((_, at) => Math.cos(at)),
);

describe('chooseSample', () => {
  it('takes the whole product within the limit', () => {
    expect(chooseSample(shape, { seed: 1, limit: 40 * 7 * 60 })).toEqual({
      rows: [...Array(40).keys()],
      cols: [],
      fraction: 1,
    });
    expect(chooseSample({ m: 0, k: 9, n: 9 }, { seed: 1, limit: 0 }).fraction).toBe(1);
  });

  it('chooses by seed, spread out, and says which part of the entries that is', () => {
    const options = { seed: 5, limit: 8 * 7 * 60 };
    const sample = chooseSample(shape, options);
    expect(chooseSample(shape, options)).toEqual(sample);
    expect(chooseSample(shape, { ...options, seed: 6 })).not.toEqual(sample);
    expect(sample.rows.map((i) => Math.floor(i / 10))).toEqual([0, 1, 2, 3]);
    expect(sample.cols.map((j) => Math.floor(j / 10))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sample.fraction).toBe((4 * 60 + 6 * 40 - 24) / (40 * 60));
  });

  it('never takes less than one row and one column', () => {
    const { rows, cols } = chooseSample(shape, { seed: 2, limit: 1 });
    expect([rows.length, cols.length]).toEqual([1, 1]);
  });
});

describe('sampledProduct', () => {
  it('gives the rows and columns of the exact product', async () => {
    const whole = exactProduct(a, b);
    const part = await sampledProduct(a, b, { seed: 9, limit: 5000 });
    part.rows.forEach((i, at) => {
      const range = (data: Float64Array, line: number) => data.slice(line * 60, (line + 1) * 60);
      expect(range(part.rowValues.data, at)).toEqual(range(whole.product.data, i));
      expect(range(part.rowLow, at)).toEqual(range(whole.low, i));
    });
    part.cols.forEach((j, at) => {
      for (let i = 0; i < 40; i++) {
        expect(part.colValues.data[i * part.cols.length + at]).toBe(whole.product.data[i * 60 + j]);
        expect(part.colLow[i * part.cols.length + at]).toBe(whole.low[i * 60 + j]);
      }
    });
    expect(part.cols.length).toBeGreaterThan(0);
    expect(part.certificate.entries).toBe(part.rows.length * 60 + part.cols.length * 40);
  });

  it('is the whole product within the limit', async () => {
    const { rowValues, colValues, fraction } = await sampledProduct(a, b, { seed: 9, limit: 1e6 });
    expect(rowValues).toEqual(exactProduct(a, b).product);
    expect([colValues.rows, colValues.cols, fraction]).toEqual([40, 0, 1]);
  });
});
