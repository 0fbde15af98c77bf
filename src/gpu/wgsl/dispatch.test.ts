import { expect, test } from 'vitest';
import { linearGrid, rowRanges } from './dispatch.ts';

const MOST = 65535;

// Few workgroups, as many as a dimension holds, and more; the last row of the grid full, or not.
test.each([1, 7, MOST, MOST + 1, 2 * MOST - 1, 2 * MOST, 2 * MOST + 1, 3 * MOST + 40_000])(
  '%i workgroups have a grid with every invocation, and no row in vain',
  (groups) => {
    for (const workgroup of [64, 256]) {
      for (const invocations of [groups * workgroup, groups * workgroup - workgroup + 1]) {
        const { workgroups, width } = linearGrid(invocations, workgroup);
        const [across, down] = workgroups;
        expect(Math.max(across, down)).toBeLessThanOrEqual(MOST);
        expect(width).toBe(across * workgroup);
        expect(width * down).toBeGreaterThanOrEqual(invocations);
        expect(width * (down - 1)).toBeLessThan(invocations);
      }
    }
  },
);

test('a dispatch has no more rows of tiles than a dimension holds', () => {
  const tile = { m: 32, k: 1, n: 32 };
  const ranges = rowRanges({ m: 2 ** 21 + 1, k: 3, n: 5 }, { tile }, 2 ** 50);
  expect(ranges).toEqual([
    [0, 32 * MOST],
    [32 * MOST, 2 ** 21 + 1],
  ]);
});

test.each([1, 2 ** 12, 2 ** 16, 2 ** 40])(
  'rows are cut at tiles into ranges of %i operations, none left out',
  (most) => {
    const [shape, tile] = [
      { m: 77, k: 40, n: 33 },
      { m: 8, k: 1, n: 8 },
    ];
    const ranges = rowRanges(shape, { tile }, most);
    expect(
      ranges.flatMap(([first, end]) => Array.from({ length: end - first }, (_, at) => first + at)),
    ).toEqual(Array.from({ length: shape.m }, (_, row) => row));
    for (const [first, end] of ranges) {
      expect(first % tile.m).toBe(0);
      const rows = Math.max(tile.m, most / (2 * shape.k * shape.n));
      expect(end - first).toBeLessThanOrEqual(rows);
    }
  },
);
