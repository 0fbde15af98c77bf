import { describe, expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { chooseSample, takeCols, takeRows } from './sampled.ts';

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

  it('spends half of the limit on rows and half on columns, from one product more than the limit on', () => {
    for (const limit of [40 * 7 * 60 - 1, 2000, 1700, 900]) {
      const { rows, cols, fraction } = chooseSample(shape, { seed: 3, limit });
      expect(rows).toHaveLength(Math.max(1, Math.floor(limit / (2 * 7 * 60))));
      expect(cols).toHaveLength(Math.max(1, Math.floor(limit / (2 * 7 * 40))));
      const places = Array.from({ length: 40 * 60 }, (_, e) => [Math.floor(e / 60), e % 60]);
      const met = places.filter(([i, j]) => rows.includes(i) || cols.includes(j));
      expect(fraction).toBe(met.length / (40 * 60));
    }
  });
});

it('takes rows and columns in the order they are named in, in numbers of the same kind', () => {
  for (const Entries of [Float32Array, Float64Array]) {
    const x = matrix(3, 4, Entries.from([...Array(12).keys()]));
    expect(takeRows(x, [2, 0])).toEqual(matrix(2, 4, Entries.of(8, 9, 10, 11, 0, 1, 2, 3)));
    expect(takeCols(x, [3, 1])).toEqual(matrix(3, 2, Entries.of(3, 1, 7, 5, 11, 9)));
  }
});
