import { expect, it } from 'vitest';
import type { Algorithm } from './algorithm.ts';
import { algorithms } from './algorithms.ts';
import { brentViolations } from './brent.ts';
import { orientations, rotateTable, transposeTable } from './symmetries.ts';

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
