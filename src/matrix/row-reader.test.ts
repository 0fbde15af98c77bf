import { expect, it } from 'vitest';
import { matrix, transpose } from './dense.ts';
import { columnsOf, panelsOf, rowsOf } from './row-reader.ts';

const x = matrix(
  37,
  21,
  Float32Array.from({ length: 37 * 21 }, (_, e) => e),
);

it('reads rows where they lie, and columns as rows', () => {
  expect(rowsOf(x).read(3, 5).data.buffer).toBe(x.data.buffer);
  expect([...rowsOf(x).read(3, 5).data]).toEqual([...x.data.subarray(63, 105)]);
  const [columns, turned] = [columnsOf(x), transpose(x)];
  for (const [from, to] of [
    [0, 21],
    [20, 21],
    [4, 9],
  ] as const) {
    const { rows, cols, data } = columns.read(from, to);
    expect([rows, cols, ...data]).toEqual([to - from, 37, ...turned.data.subarray(from * 37, to * 37)]);
  }
});

it.each([1, 50, 111, 10_000])('panels of about %i entries are all rows, once each, in order', (entries) => {
  const read = [...panelsOf(columnsOf(x), entries)].map(({ from, panel }) => [from, panel.rows]);
  expect(read.reduce((next, [from, rows]) => (from === next ? next + rows : Number.NaN), 0)).toBe(21);
  expect(read[0][1]).toBe(Math.max(1, Math.min(21, Math.floor(entries / 37))));
});
