import { describe, expect, it } from 'vitest';
import { levelsWithin } from '../algorithms/algorithm.ts';
import { algorithms } from '../algorithms/algorithms.ts';
import { inShort } from '../base/in-short.testing.ts';
import { matrix, zerosF32 } from '../matrix/dense.ts';
import { fringes, tails } from '../problem/method.ts';
import { compile } from './compile.ts';
import { addressOf, type Layout } from './layout.ts';
import { pack, unpack } from './pack.ts';

const sequence = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, e) => e + 1),
  );

describe.each(fringes)('fringe %s', (fringe) => {
  describe.each(tails)('tail %s', (tail) => {
    it.each(inShort([0, 1, 2, 3], 2))('%d levels: what is packed is unpacked', (levels) => {
      for (const algorithm of algorithms.filter((one) => levels <= levelsWithin(one, 100))) {
        for (const [m, k, n] of [
          [64, 64, 64],
          [37, 41, 29],
          [1, 9, 5],
        ]) {
          const tile = { m: 4, k: 2, n: 8 };
          const plan = compile({ algorithm, shape: { m, k, n }, depth: { levels }, fringe, tail, tile });
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
            expect(range.reduce((held, x) => held + Number(x !== 0), 0)).toBe(rows * cols);
            const back = zerosF32(rows, cols);
            unpack(range, layout, back);
            expect(back.data.every((x, e) => x === source.data[e])).toBe(true);
          }
        }
      }
    });
  });
});
