import { describe, expect, it } from 'vitest';
import { algorithms } from '../algorithms/algorithms.ts';
import { matrix, zerosF32 } from '../matrix/dense.ts';
import { compile } from './compile.ts';
import { addressOf, type Layout } from './layout.ts';
import { pack, unpack } from './pack.ts';
import { borders, edges } from './plan.ts';

const sequence = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, e) => e + 1),
  );

describe.each(borders)('border %s', (border) => {
  describe.each(edges)('edge %s', (edge) => {
    it.each([0, 1, 2, 3])('%d levels: what is packed is unpacked', (levels) => {
      for (const algorithm of algorithms) {
        for (const [m, k, n] of [
          [64, 64, 64],
          [37, 41, 29],
          [1, 9, 5],
        ]) {
          const tile = { m: 4, k: 2, n: 8 };
          const plan = compile({ algorithm, shape: { m, k, n }, depth: { levels }, border, edge, tile });
          const cases: readonly (readonly [Layout, number, number])[] = [
            [plan.layouts.A, m, k],
            [plan.layouts.B, k, n],
            [plan.layouts.C, m, n],
          ];
          for (const [layout, rows, cols] of cases) {
            const source = sequence(rows, cols);
            const range = new Float32Array(layout.size);
            pack(source, layout, range);
            expect(range[addressOf(layout, rows - 1, cols - 1)]).toBe(rows * cols);
            expect(range.filter((x) => x !== 0)).toHaveLength(rows * cols);
            const back = zerosF32(rows, cols);
            unpack(range, layout, back);
            expect(back).toEqual(source);
          }
        }
      }
    });
  });
});
