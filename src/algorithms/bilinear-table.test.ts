import { describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import type { Algorithm } from './algorithm.ts';
import { algorithms, findAlgorithm } from './algorithms.ts';
import { compose, composePower, orientations, rotateTable, transposeTable } from './bilinear-table.ts';
import { brentViolations, findWrongBlocks } from './verify-algorithm.ts';

it.each(algorithms)('$name multiplies matrices in every orientation', (algorithm) => {
  const { m, k, n } = algorithm.base;
  for (const table of [
    transposeTable(algorithm),
    rotateTable(algorithm),
    rotateTable(rotateTable(algorithm)),
  ])
    expect(brentViolations({ ...algorithm, ...table } as Algorithm)).toEqual([]);
  expect(rotateTable(rotateTable(rotateTable(algorithm)))).toEqual({
    base: algorithm.base,
    u: algorithm.u,
    v: algorithm.v,
    w: algorithm.w,
  });
  expect(transposeTable(algorithm).base).toEqual({ m: n, k, n: m });
  const count = new Set([m, k, n]).size === 1 ? 6 : new Set([m, k, n]).size === 3 ? 1 : 2;
  expect(orientations(algorithm)).toHaveLength(count);
});

describe.each(algorithms.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  it('of no level is the product itself', () => {
    expect(composePower(algorithm, 0)).toMatchObject({
      base: { m: 1, k: 1, n: 1 },
      u: [[1]],
      v: [[1]],
      w: [[1]],
    });
  });

  it('of one level is its table, without the schedule', () => {
    const { base, u, v, w } = algorithm;
    expect(composePower(algorithm, 1)).toMatchObject({ base, u, v, w });
    expect(composePower(algorithm, 1).schedule).toBeUndefined();
  });

  itWhole('of two levels computes the product, by a schedule derived from the composed table', () => {
    const square = composePower(algorithm, 2);
    expect(brentViolations(square)).toEqual([]);
    expect(findWrongBlocks(square)).toEqual([]);
  });
});

describe('two levels of Strassen', () => {
  const square = composePower(findAlgorithm('strassen'), 2);
  const blocks = (row: readonly number[]) =>
    row.flatMap((c, at) => (c === 0 ? [] : [Math.sign(c) * (at + 1)]));

  // Figure 5 of Huang, Yu and van de Geijn 2020, which counts blocks and products from 0; here they count from 1.
  it.each([
    [0, [1, 6, 11, 16], [1, 6, 11, 16], [1, 6, 11, 16]],
    [1, [5, 6, 15, 16], [1, 11], [5, -6, 15, -16]],
    [8, [13, 14, 15, 16], [1], [13, -14, -15, 16]],
    [40, [1, -5, -9, 13], [1, 2, 3, 4], [16]],
    [48, [4, -8, -12, 16], [13, 14, 15, 16], [1]],
  ])('product %i is that of Figure 5', (r, u, v, w) => {
    expect([square.u[r], square.v[r], square.w[r]].map(blocks)).toEqual([u, v, w]);
  });
});

it('rectangular grids keep their rows and columns apart', () => {
  const row = { name: 'row', title: '', what: '', source: '', base: { m: 1, k: 2, n: 1 } };
  const inner = {
    ...row,
    u: [
      [1, 0],
      [0, 1],
    ],
    v: [
      [1, 0],
      [0, 1],
    ],
    w: [[1], [1]],
  };
  const outer = {
    ...row,
    base: { m: 1, k: 1, n: 2 },
    u: [[1], [1]],
    v: [
      [1, 0],
      [0, 1],
    ],
    w: [
      [1, 0],
      [0, 1],
    ],
  };
  for (const both of [compose(outer, inner), compose(inner, outer)]) {
    expect(both.base).toEqual({ m: 1, k: 2, n: 2 });
    expect(brentViolations(both)).toEqual([]);
  }
});
