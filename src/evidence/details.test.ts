import { expect, test } from 'vitest';
import { makeErrorMap, makeHistogram } from './shown.ts';

test('a map keeps the largest error of each cell', () => {
  const errors = Float64Array.from([1, -2, 3, 4, 0, 0, 0, -7, 5, 0, Number.NaN, 0]);
  expect(makeErrorMap(errors, 3, 4)).toEqual({
    rows: 3,
    cols: 4,
    cells: [1, 2, 3, 4, 0, 0, 0, 7, 5, 0, Infinity, 0],
  });
  expect(makeErrorMap(errors, 3, 4, 2)).toEqual({ rows: 2, cols: 2, cells: [2, 7, 5, Infinity] });
});

test('cells of a large result differ by at most a row or column', () => {
  const n = 101;
  const errors = Float64Array.from({ length: n * n }, (_, at) => at);
  const { rows, cols, cells } = makeErrorMap(errors, n, n);
  expect([rows, cols]).toEqual([32, 32]);
  expect(cells.at(-1)).toBe(n * n - 1);
  expect(cells[0]).toBe(3 * n + 3);
});

test('a histogram counts by sign, and keeps what lies beyond in its outermost bins', () => {
  const values = Float64Array.from([0, 0.1, -0.1, 0.5, -9, 9, Number.NaN, Number.POSITIVE_INFINITY]);
  expect(makeHistogram(values, 0.5, 4)).toEqual({ width: 0.5, counts: [1, 1, 2, 4] });
});
