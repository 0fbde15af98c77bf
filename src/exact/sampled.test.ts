import { describe, expect, it } from 'vitest';
import { chooseSample } from './sampled.ts';

const shape = { m: 40, k: 7, n: 60 };
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
